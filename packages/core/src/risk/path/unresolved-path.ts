import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import type { WordSet } from '../../knowledge/words.ts'
import type { PathUse } from '../report/report.ts'
import { isRegenerableGlob } from './category.ts'

/** A path as written in a command, before it is resolved. */
export interface SpelledPath {
  readonly given: string
  /** What to resolve: the path, or for a glob the folder before its first wildcard. Null if unknown. */
  readonly lookup: string | null
  readonly glob: boolean
  readonly use: PathUse['use']
  /** Only its name or attributes are read, or something empty is created. */
  readonly soft: boolean
  readonly manner?: Manner | undefined
}

/** How a path is removed: only a single file, or by moving it. */
export type Manner = 'file' | 'moved'

/** How a path is used. */
export type Use = PathUse['use']

/** Finds the paths among the arguments of a program. */
export type Reader = (part: CommandPart) => SpelledPath[]

export const isUrl = (text: string) => text.includes('://') && /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)

/** A path on another machine, in the form that `scp` uses. */
export const isRemote = (text: string) =>
  text.includes(':') && (/^[\w.-]+@[\w.-]+:/.test(text) || /^[\w.-]{2,}:(?!\\)/.test(text))

/** Whether a word looks like a path, not like a flag, a URL or prose. */
export function looksLikePath(text: string): boolean {
  // Rules out most words quickly.
  if (!text.includes('/') && !text.startsWith('~') && !text.startsWith('.')) return false
  return text.length <= 4096 && !text.startsWith('-') && !text.includes('\n') && !text.includes('\t') && !isUrl(text)
}

/**
 * The known beginning of a word that ends in something unknown: a named file in the temporary folder stays there. Any
 * other word could lead anywhere.
 */
function knownStart(text: string): string | null {
  const start = /^["']?((?:\/private)?(?:\/var)?\/tmp\/[A-Za-z][\w.-]{2,})[$`"'{\w]/.exec(text)?.[1]
  return start === undefined || text.includes('..') ? null : start
}

/** Turns a word into a path. */
export function spelled(
  word: CommandWord,
  use: Use,
  soft: boolean,
  value = word.value,
  manner: Manner | undefined = undefined,
): SpelledPath {
  if (value === null) {
    if (word.like !== undefined && isRegenerableGlob(word.like))
      return spelled({ text: word.text, value: word.like, glob: true }, use, soft, word.like, manner)
    const lookup = knownStart(word.text)
    return { given: word.text, lookup, glob: lookup !== null, use, soft, manner }
  }
  // The folder before the last `cd`, and the current one.
  if (value.startsWith('~-')) return { given: `$OLDPWD${value.slice(2)}`, lookup: null, glob: false, use, soft, manner }
  if (value === '~+' || value.startsWith('~+/')) return spelled(word, use, soft, `.${value.slice(2)}`, manner)
  if (!word.glob) return { given: value, lookup: value, glob: false, use, soft, manner }
  const wildcard = value.search(/[*?[{]|[@!+]\(/)
  const before = value.slice(0, wildcard === -1 ? value.length : wildcard)
  const folder = before.slice(0, before.lastIndexOf('/') + 1)
  return {
    given: value,
    lookup: folder === '' ? '.' : folder === '/' ? '/' : folder.slice(0, -1),
    glob: true,
    use,
    soft,
    manner,
  }
}

const NO_OPTIONS: WordSet = new Set()

/** The words that are neither options nor values of the options in `valued`. */
export function plainWords(part: CommandPart, valued: WordSet = NO_OPTIONS): CommandWord[] {
  const words: CommandWord[] = []
  let ended = false
  for (let at = 0; at < part.args.length; at++) {
    const word = part.args[at]
    if (word === undefined) break
    if (!ended && word.value === '--') ended = true
    else if (!ended && word.value !== null && word.value.startsWith('-') && word.value !== '-') {
      if (valued.has(word.value)) at++
    } else words.push(word)
  }
  return words
}

/** The value of the first of these options, in the next word or after `=`. */
export function optionValue(part: CommandPart, names: readonly string[]): CommandWord | null {
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value
    if (value === null || value === undefined) continue
    if (names.includes(value)) return part.args[at + 1] ?? null
    const name = names.find((one) => one.startsWith('--') && value.startsWith(`${one}=`))
    if (name !== undefined) return { text: value, value: value.slice(name.length + 1), glob: false }
  }
  return null
}

/** The paths of any other program: words that look like paths are read, values of output options are written. */
export function guessed(part: CommandPart, skip = 0): SpelledPath[] {
  const paths: SpelledPath[] = []
  let plain = 0
  for (let at = 0; at < part.args.length; at++) {
    const word = part.args[at]
    if (word === undefined) break
    const before = part.args[at - 1]?.value ?? ''
    if (word.value === null) {
      if (looksLikePath(word.text.replace(/^["']+/, '')))
        paths.push(spelled(word, PATH_ARGUMENTS.outputOptions.has(before) ? 'write' : 'read', false))
      continue
    }
    if (word.value.startsWith('-')) {
      const equals = word.value.indexOf('=')
      if (equals > 0 && looksLikePath(word.value.slice(equals + 1))) {
        const name = word.value.slice(0, equals)
        const value = word.value.slice(equals + 1)
        paths.push(
          spelled(
            word,
            PATH_ARGUMENTS.outputOptions.has(name) ? 'write' : 'read',
            PATH_ARGUMENTS.keyOptions.has(name),
            value,
          ),
        )
      }
      continue
    }
    plain++
    const option = before.startsWith('-')
    if (option && (before === '-m' || before === '--message')) continue
    if (
      option &&
      PATH_ARGUMENTS.outputOptions.has(before) &&
      // `-o jsonpath={…}` is a format, not a file.
      ((looksLikePath(word.value) && !/^[\w-]{1,40}=/.test(word.value)) ||
        part.program === 'curl' ||
        part.program === 'sort')
    )
      paths.push(spelled(word, 'write', false))
    else if (plain > skip && looksLikePath(word.value))
      paths.push(spelled(word, 'read', option && PATH_ARGUMENTS.keyOptions.has(before)))
    else if (word.value.includes('@') || word.value.includes('=')) {
      // `-F file=@.env`, `-d @body`, `if=/x`: the path follows a sign.
      const sent = /^(?:[\w.-]*=)?@(.+)$/.exec(word.value) ?? /^[\w.-]+=([~/.].*)$/.exec(word.value)
      if (sent?.[1] !== undefined) paths.push(spelled(word, 'read', false, sent[1]))
    }
  }
  return paths
}
