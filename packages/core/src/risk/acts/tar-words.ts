import type { CommandPart } from '../../command/model/decomposition.ts'
import type { Renaming } from './file-act.ts'

/** The words of a tar command that only makes, lists or unpacks an archive. */
export interface TarWords {
  readonly mode: 'make' | 'list' | 'unpack'
  readonly archive: string | null
  readonly folder: string | null
  readonly members: readonly string[]
  /** Names that are taken away from the beginning of each member. */
  readonly strip: number
  readonly renames?: Renaming
}

/** Letters that only say how: compression, what is printed, which times and modes are kept. `O` prints what it unpacks. */
const HARMLESS = 'zjJavkmoO'
const LONG: Readonly<Record<string, string>> = {
  '--create': 'c',
  '--list': 't',
  '--extract': 'x',
  '--get': 'x',
  '--file': 'f',
  '--directory': 'C',
  '--gzip': 'z',
  '--bzip2': 'j',
  '--xz': 'J',
  '--zstd': 'z',
  '--auto-compress': 'a',
  '--verbose': 'v',
  '--keep-old-files': 'k',
  '--skip-old-files': 'k',
  '--to-stdout': 'O',
  '--touch': 'm',
  '--no-same-owner': 'o',
  '--no-same-permissions': 'o',
}
/** `s,notes,copy,`: letters that stand for themselves. */
const RENAMING = /^s([,|/#])([A-Za-z0-9_-]{1,64})\1([\w.-]{0,64})\1$/
const VALUED_LONG = /^--(?:exclude|sort|mtime|owner|group|strip-components)=(.{1,200})$/s

/**
 * Reads the words of a tar command strictly: null for every option that is not listed here, since some run programs, follow
 * links, or write elsewhere.
 */
export function readTarWords({ args }: Pick<CommandPart, 'args'>): TarWords | null {
  const words = args.map(({ value }) => value)
  const letters: string[] = []
  const values = new Map<string, string>()
  const members: string[] = []
  let strip = 0
  let renames: Renaming | undefined
  let ended = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word == null || word === '') return null
    const isBundle = !ended && (at === 0 ? /^-?[a-zA-Z]+$/.test(word) : /^-[a-zA-Z]/.test(word))
    if (word === '--' && !ended) ended = true
    else if (!ended && /^--transform(?:=|$)/.test(word)) {
      const given = word === '--transform' ? words[++at] : word.slice('--transform='.length)
      const [, , from, to] = RENAMING.exec(given ?? '') ?? []
      if (from === undefined || to === undefined || renames !== undefined) return null
      renames = { from, to }
    } else if (!ended && word.startsWith('--')) {
      const valued = VALUED_LONG.exec(word)
      if (valued !== null) {
        if (word.startsWith('--strip-components=')) strip = Number(/^\d$/.exec(valued[1] ?? '')?.[0] ?? Number.NaN)
        continue
      }
      const [name = '', given] = word.split(/=(.*)/s, 2)
      const letter = LONG[name]
      if (letter === undefined || (given !== undefined) !== (letter === 'f' || letter === 'C')) return null
      letters.push(letter)
      if (given !== undefined && (!take(values, letter, given) || members.length > 0)) return null
    } else if (isBundle) {
      for (const letter of word.replace(/^-/, '')) {
        letters.push(letter)
        if (letter !== 'f' && letter !== 'C') continue
        // Joined with its value, or before other letters that would be one.
        if (word.startsWith('-') && !word.endsWith(letter)) return null
        if (!take(values, letter, words[++at])) return null
      }
      // The folder counts for the words behind it.
      if (values.has('C') && members.length > 0) return null
    } else if (word.startsWith('-') && !ended) return null
    else members.push(word)
  }
  const modes = new Set(letters.filter((letter) => 'ctx'.includes(letter)))
  if (modes.size !== 1 || Number.isNaN(strip)) return null
  if (!letters.every((letter) => `ctxfC${HARMLESS}`.includes(letter))) return null
  const archive = values.get('f') ?? null
  // A colon names another machine.
  if (archive?.includes(':') === true) return null
  const prints = modes.has('t') || letters.includes('O')
  if (letters.includes('O') && modes.has('c')) return null
  const mode = modes.has('c') ? 'make' : prints ? 'list' : 'unpack'
  return {
    mode,
    archive,
    folder: values.get('C') ?? null,
    members,
    strip,
    ...(renames === undefined ? {} : { renames }),
  }
}

/** Notes the value of a letter; false if it has none, or has one already. */
function take(values: Map<string, string>, letter: string, value: string | null | undefined): boolean {
  if (value == null || value === '' || values.has(letter)) return false
  values.set(letter, value)
  return true
}
