import type { JsonObject } from '../../call/json/json.ts'
import { MAX_REGEX_INPUT } from '../match/arguments.ts'
import type { Unit } from '../match/call-unit.ts'
import { type CompiledRule, countsUnseen } from './compiled-rule.ts'
import type { LiteralKey, Scalar } from './literal-key.ts'

/** A rule found by one of its tool patterns, with its order among base rules. */
export interface Entry {
  readonly rule: CompiledRule
  readonly order: number
}

/** Below this number of rules, checking each is faster than an index. */
const FEW = 8

interface Visitor {
  visit(entries: readonly Entry[]): void
}

/** Rules with a condition on one argument. */
class ArgumentRow {
  readonly name: string
  readonly all: Entry[] = []
  readonly equal = new Map<Scalar, Entry[]>()
  readonly starting = new PrefixTable<Entry>()

  constructor(name: string) {
    this.name = name
  }

  search(value: Scalar, text: string, visitor: Visitor): void {
    const equal = this.equal.get(value)
    if (equal) visitor.visit(equal)
    this.starting.search(text, visitor)
  }
}

/**
 * Rules for one tool pattern, indexed by a literal in their conditions. `find` visits every rule that may apply to a unit;
 * it may visit a rule twice.
 */
export class RuleBucket {
  readonly #rest: Entry[] = []
  readonly #rows: ArgumentRow[] = []
  readonly #programs = new Map<string, Entry[]>()
  readonly #programmed: Entry[] = []
  readonly #paths = new PrefixTable<Entry>()
  readonly #pathed: Entry[] = []
  readonly #entries: readonly Entry[]

  constructor(entries: readonly Entry[]) {
    this.#entries = entries
    for (const entry of entries) {
      const key = entries.length > FEW ? entry.rule.key : null
      if (key === null) this.#rest.push(entry)
      else this.#index(entry, key)
    }
  }

  #index(entry: Entry, key: LiteralKey): void {
    if (key.kind === 'argument') {
      const row = this.#row(key.name)
      row.all.push(entry)
      for (const value of key.values) push(row.equal, value, entry)
    } else if (key.kind === 'prefix') {
      const row = this.#row(key.name)
      row.all.push(entry)
      row.starting.add(key.prefix, entry)
    } else if (key.kind === 'program') {
      this.#programmed.push(entry)
      for (const name of key.names) push(this.#programs, name, entry)
    } else {
      this.#pathed.push(entry)
      for (const prefix of key.prefixes) this.#paths.add(prefix, entry)
    }
  }

  #row(name: string): ArgumentRow {
    const known = this.#rows.find((row) => row.name === name)
    if (known) return known
    const row = new ArgumentRow(name)
    this.#rows.push(row)
    return row
  }

  /** The strictest rank these rules require for nested calls that can't be read. */
  get strictest(): number {
    const counted = this.#entries.filter(({ rule }) => countsUnseen(rule.source))
    return counted.reduce((most, { rule }) => Math.max(most, rule.rank), 0)
  }

  find(unit: Unit, args: JsonObject, visitor: Visitor): void {
    if (this.#rest.length > 0) visitor.visit(this.#rest)
    for (const row of this.#rows) {
      const value = args[row.name]
      if (value === undefined) continue
      // INVARIANT: a value that can't be looked up (a list, an object, a long text) is given to every rule of the row.
      if (typeof value === 'string' && value.length <= MAX_REGEX_INPUT) row.search(value, value, visitor)
      else if (typeof value === 'number' || typeof value === 'boolean') row.search(value, String(value), visitor)
      else visitor.visit(row.all)
    }
    if (this.#programmed.length > 0) this.#findByProgram(unit, visitor)
    if (this.#pathed.length > 0) this.#findByPath(unit, visitor)
  }

  #findByProgram(unit: Unit, visitor: Visitor): void {
    const { part } = unit
    if (unit.opaque || part?.program === null) visitor.visit(this.#programmed)
    else visitor.visit((part && this.#programs.get(part.program)) ?? NOTHING)
  }

  #findByPath(unit: Unit, visitor: Visitor): void {
    if (unit.opaque || unit.path?.real === null) visitor.visit(this.#pathed)
    else if (unit.path) this.#paths.search(unit.path.real.normalize('NFC'), visitor)
  }
}

const NOTHING: readonly Entry[] = []

function push<Key>(map: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const entries = map.get(key)
  if (entries) entries.push(entry)
  else map.set(key, [entry])
}

/** The stored prefixes of one length, and the characters they end with. */
interface Ending {
  readonly length: number
  /** By character code modulo 128, to rule out most texts without a lookup. */
  readonly lasts: Uint8Array
}

/** Finds all stored prefixes of a text in one pass, by a rolling hash. May find too many, never too few. */
export class PrefixTable<Item> {
  readonly #endings: Ending[] = []
  readonly #found = new Map<number, Item[]>()
  /** The items of the empty prefix. */
  #always: readonly Item[] | null = null

  add(prefix: string, item: Item): void {
    let hash = 0
    for (let at = 0; at < prefix.length; at += 1) hash = roll(hash, prefix.charCodeAt(at))
    const items = this.#found.get(hash)
    if (items) items.push(item)
    else this.#found.set(hash, [item])
    if (prefix !== '') this.#endingAt(prefix.length).lasts[prefix.charCodeAt(prefix.length - 1) & 127] = 1
    else this.#always = this.#found.get(0) ?? null
  }

  #endingAt(length: number): Ending {
    const known = this.#endings.find((ending) => ending.length === length)
    if (known) return known
    const ending = { length, lasts: new Uint8Array(128) }
    this.#endings.push(ending)
    this.#endings.sort((a, b) => a.length - b.length)
    return ending
  }

  /** Visits the items of every prefix of `text`. */
  search(text: string, visitor: { visit(items: readonly Item[]): void }): void {
    let hash = 0
    let at = 0
    if (this.#always) visitor.visit(this.#always)
    for (const { length, lasts } of this.#endings) {
      if (length > text.length) return
      if (lasts[text.charCodeAt(length - 1) & 127] === 0) continue
      for (; at < length; at += 1) hash = roll(hash, text.charCodeAt(at))
      const items = this.#found.get(hash)
      if (items) visitor.visit(items)
    }
  }
}

function roll(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 0x3fffffff
}
