import { type ExactState, type ExactWord, Inexact } from './state.ts'

/** A folder that is not known: nothing can be said about a command that runs there. */
export const UNKNOWN_FOLDER = '\0'

/** INVARIANT: L10, more folders are not followed. */
const MOST_FOLDERS = 6

/**
 * The folder that a `cd` leads to. Bash takes the last name away for `..`, but follows links where it can't go there: which
 * of them is not known here, which makes no difference if nothing runs there.
 */
function moved(folder: string, target: string): string {
  if (folder === UNKNOWN_FOLDER) throw new Inexact()
  if (target === '..' && folder !== '') return UNKNOWN_FOLDER
  if (!/^[\w@%+=,.][\w@%+=,./ -]*$|^\/[\w@%+=,./ -]*$/.test(target)) throw new Inexact()
  const isWhole = target.startsWith('/') || folder.startsWith('/')
  const names = target.startsWith('/') ? [] : folder.split('/').filter((name) => name !== '')
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') throw new Inexact()
    names.push(name)
  }
  return `${isWhole ? '/' : ''}${names.join('/')}`
}

/** Changes the folder. The one before stays possible: the `cd` may fail. */
export function changeFolder(args: readonly ExactWord[], state: ExactState): void {
  const words = args.filter(({ text }) => text === null || !/^-L$|^--$/.test(text))
  const [target] = words
  if (words.length !== 1 || target?.text == null || target.glob !== null || target.isPipe) throw new Inexact()
  const { text } = target
  state.arrived = [...new Set(state.folders.map((folder) => moved(folder, text)))]
  state.folders = [...new Set([...state.folders, ...state.arrived])]
  if (state.folders.length > MOST_FOLDERS) throw new Inexact()
}
