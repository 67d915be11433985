import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'

/** What a tar command does and to which files. */
export interface TarWords {
  readonly mode: 'make' | 'unpack' | 'list'
  readonly archive: CommandWord | null
  readonly folder: CommandWord | null
  readonly members: readonly CommandWord[]
}

/** Letters with a value of their own. */
const VALUED = 'fCTXbgHKNVILF'
const LONG: Readonly<Record<string, 'f' | 'C' | 'x' | 't' | 'c'>> = {
  '--file': 'f',
  '--directory': 'C',
  '--one-top-level': 'C',
  '--extract': 'x',
  '--get': 'x',
  '--list': 't',
  '--create': 'c',
  '--append': 'c',
  '--update': 'c',
}

/** Reads tar's words: bundled letters with or without a dash, values in their order. */
export function readTar(part: CommandPart): TarWords {
  const { args } = part
  const values = new Map<string, CommandWord>()
  const members: CommandWord[] = []
  let mode: TarWords['mode'] = 'make'
  const note = (letter: string) => {
    if (letter === 'x') mode = 'unpack'
    else if (letter === 't' || letter === 'd') mode = 'list'
  }
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const value = word?.value ?? null
    if (word === undefined) break
    const bundle = value !== null && (/^-[a-zA-Z]/.test(value) || (at === 0 && /^[a-zA-Z]{1,12}$/.test(value)))
    if (value?.startsWith('--') === true) {
      const [name = '', given] = value.split(/=(.*)/s, 2)
      const letter = LONG[name] ?? LONG[Object.keys(LONG).find((full) => full.startsWith(name)) ?? ''] ?? ''
      note(letter)
      if (letter === 'f' || letter === 'C') {
        const taken = given === undefined ? args[++at] : { text: given, value: given, glob: false }
        if (taken !== undefined) values.set(letter, taken)
      }
    } else if (bundle) at = readBundle(args, at, value, values, note)
    else members.push(word)
  }
  return { mode, archive: values.get('f') ?? null, folder: values.get('C') ?? null, members }
}

function readBundle(
  args: readonly CommandWord[],
  start: number,
  value: string,
  values: Map<string, CommandWord>,
  note: (letter: string) => void,
): number {
  let at = start
  const dashed = value.startsWith('-')
  for (let index = dashed ? 1 : 0; index < value.length; index++) {
    const letter = value[index] ?? ''
    note(letter)
    if (!VALUED.includes(letter)) continue
    const rest = value.slice(index + 1)
    if (dashed && rest !== '') {
      values.set(letter, { text: rest, value: rest, glob: false })
      return at
    }
    const next = args[++at]
    if (next !== undefined) values.set(letter, next)
  }
  return at
}
