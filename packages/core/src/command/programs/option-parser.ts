import type { CommandWord } from '../model/decomposition.ts'

/** The options of a program that take a value. */
export interface OptionTable {
  /** Letters of short options with a value: `u` for `-u root` and `-uroot`. */
  readonly short?: string
  /** Names of long options with a separate value, without dashes. */
  readonly long?: readonly string[]
}

/** One option among the words. */
export interface FoundOption {
  /** `-c`, `--call`: one bundled letter or one long name. */
  readonly name: string
  /** Its value's position, when it has one: `at` the word, from character `from`. */
  readonly value: { readonly at: number; readonly from: number } | null
}

/** The options of a command, and where they end. */
export interface Options {
  readonly found: readonly FoundOption[]
  /** Index of the first word that is not an option. */
  readonly next: number
  /** False when an unknown word may be an option. */
  readonly certain: boolean
  /** True when `--` ended the options. */
  readonly ended: boolean
}

/** Reads options from `start`. Numbers such as `-5` count as options without a value. */
export function stepOverOptions<W extends CommandWord>(
  words: readonly W[],
  start: number,
  table: OptionTable,
): Options {
  const found: FoundOption[] = []
  let at = start
  while (at < words.length) {
    const value = words[at]?.value ?? null
    if (value === null) return { found, next: at, certain: false, ended: false }
    if (value === '--') return { found, next: at + 1, certain: true, ended: true }
    if (value.length < 2 || !value.startsWith('-')) break
    at += value.startsWith('--') ? stepLong(value, at, table, found) : stepShort(value, at, table, found)
  }
  return { found, next: Math.min(at, words.length), certain: true, ended: false }
}

function stepLong(value: string, at: number, table: OptionTable, found: FoundOption[]): number {
  const equals = value.indexOf('=')
  if (equals !== -1) {
    found.push({ name: value.slice(0, equals), value: { at, from: equals + 1 } })
    return 1
  }
  const takes = table.long?.some((name) => name === value.slice(2)) === true
  found.push({ name: value, value: takes ? { at: at + 1, from: 0 } : null })
  return takes ? 2 : 1
}

function stepShort(value: string, at: number, table: OptionTable, found: FoundOption[]): number {
  for (let index = 1; index < value.length; index++) {
    const letter = value[index] ?? ''
    const takes = table.short?.includes(letter) === true
    if (!takes) {
      found.push({ name: `-${letter}`, value: null })
      continue
    }
    const attached = index + 1 < value.length
    found.push({ name: `-${letter}`, value: attached ? { at, from: index + 1 } : { at: at + 1, from: 0 } })
    return attached ? 1 : 2
  }
  return 1
}
