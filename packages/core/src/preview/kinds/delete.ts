import type { FrozenCall } from '../../call/call.ts'
import type { Targets } from '../../ports/targets.ts'
import { diffTexts, textLines } from '../diff/hunks.ts'
import { guessNotes, type Preview, type PreviewTarget } from '../model/preview.ts'
import { countedWords, inspectTarget } from '../targets/target-lookup.ts'

/** The rest of a longer list is counted in a note. */
const MAX_TARGETS = 50
/** Less of each is inspected when there are several. */
const SEVERAL = { counted: 5_000, listed: 4 }
/** A longer text is shown by its size. */
const MAX_TEXT_BYTES = 64 * 1024
const MAX_TEXT_LINES = 200

/** What a delete removes: the lines of one short text file, or files and folders with their content. */
export async function deletePreview(call: FrozenCall, paths: readonly string[], targets: Targets): Promise<Preview> {
  const wanted = [...new Set(paths)]
  const guess = guessNotes(call)
  const [only] = wanted
  const text = only === undefined || wanted.length > 1 ? undefined : await shortText(only, call.cwd, targets)
  if (only !== undefined && text !== undefined) {
    const { notes, ...texts } = diffTexts(text, '')
    const empty = text === '' ? ['the file is empty'] : []
    return { kind: 'diff', path: only, change: 'delete', ...texts, notes: [...guess, ...empty, ...notes] }
  }
  const looked: PreviewTarget[] = []
  const bounds = wanted.length > 1 ? SEVERAL : undefined
  for (const path of wanted.slice(0, MAX_TARGETS))
    looked.push(await inspectTarget(path, 'delete', call.cwd, targets, bounds))
  return { kind: 'delete', targets: looked, notes: [...guess, ...notesOf(wanted.length, looked)] }
}

async function shortText(path: string, cwd: string, targets: Targets): Promise<string | undefined> {
  try {
    if ((await targets.facts(path, cwd)).type !== 'file') return undefined
    const text = await targets.readText(path, cwd, MAX_TEXT_BYTES)
    return text !== undefined && textLines(text).length <= MAX_TEXT_LINES ? text : undefined
  } catch {
    // An unreadable file can still be deleted: its size is shown instead.
    return undefined
  }
}

function notesOf(count: number, looked: readonly PreviewTarget[]): readonly string[] {
  const notes: string[] = []
  const each = (type: PreviewTarget['type'], one: string, several: string): void => {
    const found = looked.filter((target) => target.type === type)
    if (found.length > 3) notes.push(`${found.length} of them ${several}`)
    else for (const { path } of found) notes.push(`\`${path}\` ${one}`)
  }
  each('link', 'is a link: its target stays', 'are links: their targets stay')
  each('other', 'is not a regular file', 'are not regular files')
  each('unseen', 'could not be inspected', 'could not be inspected')
  if (looked.length > 0 && looked.every(({ type }) => type === 'absent'))
    notes.push(looked.length === 1 ? 'nothing to delete: it does not exist' : 'nothing to delete: none of them exists')
  if (count > looked.length)
    notes.push(`${countedWords(count - looked.length, 'more path')} not inspected; see the arguments`)
  return notes
}
