import { type SecretOptionsRow, secretKnowledge } from '../knowledge/secrets.ts'

/** What the word after an option is. */
type Expected =
  | { readonly kind: 'secret' | 'pair' | 'definition' | 'host' }
  | { readonly kind: 'login'; readonly by: string }

/** A row whose program is in the command. */
interface ActiveRow {
  readonly row: SecretOptionsRow
  /** The words it needs came before. */
  isReady: boolean
  /** Plain words since then. */
  operands: number
}

let table: ReadonlyMap<string, readonly SecretOptionsRow[]> | undefined

function rowsByProgram(): ReadonlyMap<string, readonly SecretOptionsRow[]> {
  if (table !== undefined) return table
  const rows = new Map<string, SecretOptionsRow[]>()
  for (const row of secretKnowledge().secret_options)
    for (const name of row.programs) rows.set(name, [...(rows.get(name) ?? []), row])
  table = rows
  return table
}

/** Whether a program has options of its own for secrets. */
export function hasSecretOptions(program: string): boolean {
  return rowsByProgram().has(program)
}

/** A value that tells where the secret is, or a variable that refers to it. */
const REFERENCE = /^(?:(?:env|file|fd):.*|stdin|-|\$\{?\w+\}?)$/
const SECRET_NAME = /pass|pwd|secret|token|key|auth|cred|cookie|session/i
const FLAG_CLUSTER = /^-[A-Za-z]{2,5}$/
/** Shorter ones are short for other options. */
const SHORTEST = '--pass'.length
const MOST_ROWS = 64

/**
 * The words of one simple command, read in order: finds the secrets by the options of the programs among them. Any word may
 * name a program: `sudo mysql …`, `docker exec db mysql …`.
 */
export class SecretOptions {
  readonly #active: ActiveRow[] = []
  readonly #seen: Set<string>
  #expected: Expected | null = null
  #before = ''
  /** The command reads a secret from its input. */
  readsSecret = false

  /** `around` is the command that this one is quoted in. */
  constructor(around?: SecretOptions) {
    this.#seen = new Set(around === undefined ? [] : [...around.#seen].slice(0, MOST_ROWS))
  }

  /** Where the secret in the next word starts; null if there is none. */
  next(word: string): number | null {
    const expected = this.#expected
    this.#expected = null
    const start = expected === null ? this.#inWord(word) : valueStart(expected, word)
    this.#note(word)
    return start === null || start >= word.length || REFERENCE.test(word.slice(start)) ? null : start
  }

  #inWord(word: string): number | null {
    if (this.#active.length === 0) return null
    for (const one of this.#active) {
      if (!one.isReady) continue
      const found = optionIn(one.row, word)
      if (typeof found === 'number') return found
      if (found !== null) this.#expected = found
    }
    if (this.#expected !== null || word.startsWith('-')) return null
    return this.#plainWord(word)
  }

  #plainWord(word: string): number | null {
    let start: number | null = null
    for (const one of this.#active) {
      if (!one.isReady) continue
      const { row } = one
      const isCounted = row.operands !== undefined && one.operands >= row.operands
      const isLast = row.most !== undefined && one.operands >= (row.operands ?? 0) + row.most
      if (isCounted && !isLast && (!row.named || SECRET_NAME.test(this.#before))) start ??= 0
      one.operands += 1
      if (row.pair_words) start ??= pairStart(word, row.named === true)
      if (row.login_words !== undefined) start ??= after(word, row.login_words)
    }
    this.#before = word
    return start
  }

  /** Remembers a word, which may name a program or be one that a row needs. */
  #note(word: string): void {
    for (const one of this.#active) {
      const { row } = one
      if (!one.isReady && row.after?.includes(word) === true) one.isReady = true
      if (one.isReady && (row.stdin === true || row.stdin?.includes(word) === true)) this.readsSecret = true
    }
    if (word.length > 64) return
    this.#seen.add(word)
    const rows = rowsByProgram().get(word.slice(word.lastIndexOf('/') + 1)) ?? []
    for (const row of rows) {
      if (this.#active.length >= MOST_ROWS || this.#active.some((one) => one.row === row)) continue
      const isReady = row.after === undefined || row.after.some((one) => one !== word && this.#seen.has(one))
      this.#active.push({ row, isReady, operands: 0 })
      if (isReady && row.stdin === true) this.readsSecret = true
    }
  }
}

/** The start of the secret in a word that is an option with its value, or what the next word is. */
function optionIn(row: SecretOptionsRow, word: string): number | Expected | null {
  for (const option of row.joined ?? [])
    if (word.startsWith(option) && !word.startsWith('--') && word.length > option.length) return option.length
  for (const option of row.bundled ?? []) {
    const at = word.indexOf(option.slice(1), 2)
    if (at !== -1 && at + 1 < word.length && /^-[A-Za-z]+$/.test(word.slice(0, at))) return at + 1
  }
  for (const option of row.hosts ?? []) {
    const found = optionValue(option, word)
    if (found !== null) return found === 'next' ? { kind: 'host' } : beforeHost(word, found)
  }
  for (const option of row.options ?? []) {
    const found = optionValue(option, word) ?? shortened(option, word)
    if (found !== null) return found === 'next' ? { kind: 'secret' } : found
    if (FLAG_CLUSTER.test(word) && option.length === 2 && word.endsWith(option.slice(1))) return { kind: 'secret' }
  }
  for (const option in row.logins) {
    const found = optionValue(option, word)
    const by = row.logins[option] ?? ':'
    if (found !== null) return found === 'next' ? { kind: 'login', by } : after(word, by, found)
    const bundled = option.length === 2 ? word.indexOf(option.charAt(1), 2) : -1
    // `-sSuname:secret`.
    if (bundled !== -1 && /^-[A-Za-z]+$/.test(word.slice(0, bundled))) return after(word, by, bundled + 1)
  }
  for (const option of row.pairs ?? []) {
    const found = optionValue(option, word)
    if (found !== null) return found === 'next' ? { kind: 'pair' } : after(word, '=', found)
  }
  for (const option of row.definitions ?? []) {
    const found = optionValue(option, word)
    if (found !== null) return found === 'next' ? { kind: 'definition' } : pairStart(word, true)
  }
  return null
}

/** `--passw=x`: most programs take the start of a long option for it. */
function shortened(option: string, word: string): number | 'next' | null {
  if (!option.startsWith('--') || !word.startsWith('--')) return null
  const equals = word.indexOf('=')
  const name = equals === -1 ? word : word.slice(0, equals)
  if (name.length < SHORTEST || name.length >= option.length || !option.startsWith(name)) return null
  return equals === -1 ? 'next' : equals + 1
}

/** The secret in `name:secret@host`, or in the address with it; null without one. */
function beforeHost(word: string, from = 0): number | null {
  const scheme = word.indexOf('://', from)
  const start = scheme === -1 ? from : scheme + 3
  const colon = word.indexOf(':', start)
  return colon > start && colon < word.lastIndexOf('@') ? colon + 1 : null
}

/** Where the value of an option starts in its word, or that it is the next word. Null for any other word. */
function optionValue(option: string, word: string): number | 'next' | null {
  if (!word.startsWith(option)) return null
  if (word.length === option.length) return 'next'
  const separator = word.charAt(option.length)
  if (separator === '=' || (separator === ':' && option.startsWith('/'))) return option.length + 1
  return option.length === 2 && !word.startsWith('--') ? option.length : null
}

function valueStart(expected: Expected, word: string): number | null {
  switch (expected.kind) {
    case 'secret':
      return 0
    case 'login':
      return after(word, expected.by)
    case 'host':
      return beforeHost(word)
    case 'pair':
      return /^\s*[{[]/.test(word) ? 0 : after(word, '=')
    case 'definition':
      return pairStart(word, true)
  }
}

function after(word: string, separator: string, from = 0): number | null {
  const at = word.indexOf(separator, from)
  return at <= from - 1 || at < 1 ? null : at + 1
}

function pairStart(word: string, isNamed: boolean): number | null {
  const at = word.indexOf('=')
  return at < 1 || (isNamed && !SECRET_NAME.test(word.slice(0, at))) ? null : at + 1
}
