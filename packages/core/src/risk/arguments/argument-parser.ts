import type { CommandPart } from '../../command/model/decomposition.ts'
import { globalOptions } from '../../command/programs/global-options.ts'
import { type ProgramRow, valuedOptions } from '../../knowledge/programs.ts'

/** A word that is not an option. */
export interface ReadWord {
  /** null when it is not known. */
  readonly value: string | null
  readonly at: number
}

/** An option and its value: undefined without one, null when it is not known. */
export interface ReadOption {
  readonly name: string
  readonly value: string | null | undefined
  readonly at: number
}

/** The arguments of a command, split into words and options. */
export interface Reading {
  readonly words: readonly ReadWord[]
  readonly options: readonly ReadOption[]
  /** Index of the first unlisted option: it may or may not take the next word. */
  readonly doubt: number
  /** Index of `--`, or of the end. */
  readonly end: number
}

/** Which options of a program take a value. */
export interface Arity {
  readonly valued: ReadonlySet<string>
  readonly flags: ReadonlySet<string>
  /** All options that may stand before the first word, with those that take a value; any others are in doubt there. */
  readonly before?: { readonly valued: ReadonlySet<string>; readonly flags: ReadonlySet<string> }
  /** Options with an optional value in the same word: `-psecret`. */
  readonly attached?: ReadonlySet<string>
  /** Long options have one dash, as in `terraform -chdir=x`. */
  readonly oneDash?: boolean
  /** Long options may be shortened; options that begin like others must be listed. */
  readonly shortens?: boolean
}

const EMPTY: ReadonlySet<string> = new Set()

/** What is known of a program's options: those before its verb, and those the caller names. */
export function arityOf(
  program: string,
  valued: ReadonlySet<string>,
  flags: ReadonlySet<string> = EMPTY,
  globals: 'anywhere' | 'first' = 'anywhere',
): Arity {
  const known = globalOptions(program)
  if (known === undefined) return { valued, flags }
  if (globals === 'first') return { valued, flags: new Set([...known.flags, ...flags]), before: known }
  return {
    valued: new Set([...known.valued, ...valued]),
    flags: new Set([...known.flags, ...flags]),
    before: known,
  }
}

const NO_NAMES: ReadonlySet<string> = new Set()
const BY_ROW = new WeakMap<ProgramRow, Arity>()

/** What is known of a program's options by its row alone. */
export function arityOfRow(row: ProgramRow): Arity {
  let arity = BY_ROW.get(row)
  if (arity === undefined) {
    const { options = {}, single_dash, abbreviates } = row
    const joined = (options.value ?? []).filter((name) => /^-\w=$/.test(name)).map((name) => name.slice(0, 2))
    arity = {
      valued: valuedOptions(options),
      flags: options.flag === undefined ? NO_NAMES : new Set(options.flag),
      ...(joined.length === 0 ? {} : { attached: new Set(joined) }),
      ...(single_dash === undefined ? {} : { oneDash: true }),
      ...(abbreviates === undefined ? {} : { shortens: true }),
    }
    BY_ROW.set(row, arity)
  }
  return arity
}

/** Reads the arguments. An unlisted option takes the next word only if `unlisted` is `value`. */
export function readArgs(part: CommandPart, arity: Arity, unlisted: 'flag' | 'value' = 'flag'): Reading {
  const words: ReadWord[] = []
  const options: ReadOption[] = []
  let doubt = part.args.length
  const { args } = part
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === '--') {
      args.slice(at + 1).forEach((word, index) => {
        words.push({ value: word.value, at: at + 1 + index })
      })
      return { words, options, doubt, end: at }
    }
    if (value === null || !value.startsWith('-') || value === '-') {
      words.push({ value, at })
      continue
    }
    const equals = value.indexOf('=')
    if (equals > 0) {
      options.push({ name: inFull(value.slice(0, equals), arity), value: value.slice(equals + 1), at })
      continue
    }
    const name = inFull(value, arity)
    const next = args[at + 1]?.value
    // An option that takes a value after the verb need not take one before it, where it could swallow the verb.
    const { valued, flags } = words.length === 0 ? (arity.before ?? arity) : arity
    if (valued.has(name)) {
      options.push({ name, value: next, at })
      at++
    } else if (flags.has(name)) options.push({ name, value: undefined, at })
    else if (!value.startsWith('--') && value.length > 2 && arity.oneDash !== true) {
      if (bundled(value, at, { valued, attached: arity.attached }, options, next)) at++
    } else {
      doubt = Math.min(doubt, at)
      const takes = unlisted === 'value' && next !== undefined && next?.startsWith('-') !== true
      options.push({ name: value, value: takes ? next : undefined, at })
      if (takes) at++
    }
  }
  return { words, options, doubt, end: args.length }
}

/** The full name of a shortened option, if the program accepts them. */
function inFull(name: string, { shortens, valued, flags }: Arity): string {
  if (shortens !== true || !name.startsWith('--') || name.length < 4 || valued.has(name) || flags.has(name)) return name
  for (const full of valued) if (full.startsWith(name)) return full
  for (const full of flags) if (full.startsWith(name)) return full
  return name
}

/** `-nprod`, `-it`, `-aq`: true when the last letter takes the next word. */
function bundled(
  text: string,
  at: number,
  arity: { readonly valued: ReadonlySet<string>; readonly attached: ReadonlySet<string> | undefined },
  options: ReadOption[],
  next: string | null | undefined,
): boolean {
  for (let index = 1; index < text.length; index++) {
    const name = `-${text[index]}`
    if (arity.attached?.has(name) === true) {
      options.push({ name, value: text.slice(index + 1) || undefined, at })
      return false
    }
    if (!arity.valued.has(name)) {
      options.push({ name, value: undefined, at })
      continue
    }
    const rest = text.slice(index + 1)
    options.push({ name, value: rest === '' ? next : rest, at })
    return rest === ''
  }
  return false
}

/** Whether one of these options appears from an index on and is not turned off by `=false`. */
export function hasOption(reading: Reading, names: ReadonlySet<string>, from = 0): boolean {
  for (const { name, value, at } of reading.options)
    if (at >= from && at < reading.end && names.has(name) && value !== 'false' && value !== '0') return true
  return false
}

/** Whether an option from an index on could be short for one of these: `--vol` for `--volumes`. */
export function hasShortened(reading: Reading, names: ReadonlySet<string>, from: number): boolean {
  for (const { name, at } of reading.options) {
    if (at < from || at >= reading.end || !name.startsWith('--') || !/^--\w{3}/.test(name) || names.has(name)) continue
    for (const full of names) if (full.startsWith(name)) return true
  }
  return false
}

/** The value of the last of these options; undefined when there is none, null when it is not known. */
export function lastValue(reading: Reading, names: ReadonlySet<string>): string | null | undefined {
  return reading.options.findLast(({ name }) => names.has(name))?.value
}

const DRY = new Set(['--dry-run', '--dryrun', '-dry-run', '--dry_run'])
const DRY_VALUES = new Set(['client', 'server', 'true', '1'])

/**
 * Whether a command only shows what it would do. Not when a word that could be a flag is unknown, and not for
 * `--dry-run=none` or where a later flag switches it off again.
 */
export function isDry({ words, options, end }: Reading, more: ReadonlySet<string>): boolean {
  if (options.length === 0) return false
  for (const { value, at } of words) if (value === null && at < end) return false
  let dry = false
  for (const { name, value, at } of options) {
    if (at >= end) continue
    if (name.startsWith('--no-dry')) return false
    if (DRY.has(name)) dry = value === undefined || (value !== null && DRY_VALUES.has(value))
    else if (more.has(name) && value !== 'false') dry = true
  }
  return dry
}
