import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { parse } from 'smol-toml'
import type { ConfigText, Member, ServerEntry, Span } from './text.ts'

/** Parses TOML; returns a reason when it cannot be parsed. */
export function readTomlConfig(text: string, places: readonly (readonly string[])[]): ConfigText | string {
  let data: JsonObject
  try {
    data = parse(text.replace(/^\ufeff/, '')) as JsonObject
  } catch {
    return 'it is not valid TOML'
  }
  const scanned = scanToml(text)
  if (scanned === null) return 'its syntax cannot be edited safely'
  const members = scanned.flatMap(flatten)
  return { format: 'toml', text, entries: places.flatMap((place) => find(data, members, place)), data }
}

/** A member and the members of its inline table. */
function flatten(member: TomlMember): readonly TomlMember[] {
  return [member, ...(member.value.members ?? []).flatMap(flatten)]
}

function find(data: JsonObject, members: readonly TomlMember[], place: readonly string[]): readonly ServerEntry[] {
  const servers = valueAt(data, place)
  if (!isJsonObject(servers)) return []
  return Object.entries(servers).flatMap(([name, server]): readonly ServerEntry[] => {
    const path = [...place, name]
    const own = members.filter((member) => member.path.length === path.length + 1 && startsWith(member.path, path))
    if (!isJsonObject(server)) return []
    const first = own[0]
    if (first === undefined) return []
    const start = Math.min(...own.map(({ keySpan }) => keySpan.start))
    const end = Math.max(...own.map(({ value }) => value.span.end))
    const style = first.inline ? 'toml-inline' : 'toml-line'
    // When dotted keys of several servers alternate, no server has a contiguous text.
    const isMixed = members.some(
      ({ path: other, keySpan }) => keySpan.start > start && keySpan.start < end && !startsWith(other, path),
    )
    const places = isMixed ? [] : own.map((one) => memberOf(one, server))
    return [{ name, path, data: server, style, span: { start, end }, members: places }]
  })
}

function memberOf({ path, keySpan, value }: TomlMember, server: JsonObject): Member {
  const key = path.at(-1) ?? ''
  return { key, keySpan, value: value.span, data: (server[key] ?? null) as Json, items: value.items }
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, at) => path[at] === step)
}

function valueAt(data: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => (isJsonObject(value) ? value[step] : undefined), data)
}

/** The ranges of a TOML value. */
interface TomlValue {
  readonly span: Span
  /** Of a list. */
  readonly items: readonly Span[] | null
  /** Of an inline table. */
  readonly members: readonly TomlMember[] | null
}

interface TomlMember {
  /** The full key path, including the table's. */
  readonly path: readonly string[]
  readonly keySpan: Span
  readonly value: TomlValue
  /** Whether it is in an inline table. */
  readonly inline: boolean
}

const MAX_DEPTH = 64

class UnreadableToml extends Error {}

/**
 * Finds the members of a TOML text with their ranges; null when it cannot follow the text. It runs only on texts that the parser
 * accepted; values come from the parser.
 */
function scanToml(text: string): readonly TomlMember[] | null {
  try {
    return new Scanner(text).document()
  } catch (error) {
    if (error instanceof UnreadableToml) return null
    throw error
  }
}

class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    if (text.startsWith('\ufeff')) this.#at = 1
  }

  document(): readonly TomlMember[] {
    const members: TomlMember[] = []
    let table: readonly string[] = []
    for (this.#blank(); this.#at < this.#text.length; this.#blank()) {
      if (this.#here() === '[') table = this.#header()
      else members.push(this.#member(table, false, 0))
    }
    return members
  }

  #here(): string {
    return this.#text.charAt(this.#at)
  }

  #need(sign: string): void {
    if (!this.#text.startsWith(sign, this.#at)) throw new UnreadableToml()
    this.#at += sign.length
  }

  /** Skips white space, line breaks and comments. */
  #blank(): void {
    for (;;) {
      while (this.#at < this.#text.length && /[ \t\r\n]/.test(this.#here())) this.#at += 1
      if (this.#here() !== '#') return
      const end = this.#text.indexOf('\n', this.#at)
      this.#at = end === -1 ? this.#text.length : end
    }
  }

  #space(): void {
    while (this.#here() === ' ' || this.#here() === '\t') this.#at += 1
  }

  /** `[a.b]`; the tables of an array `[[a.b]]` get a key that no server has. */
  #header(): readonly string[] {
    const isList = this.#text.startsWith('[[', this.#at)
    this.#at += isList ? 2 : 1
    const path = this.#key()
    this.#need(isList ? ']]' : ']')
    return isList ? [...path, '[]'] : path
  }

  #member(table: readonly string[], inline: boolean, depth: number): TomlMember {
    const start = this.#at
    const key = this.#key()
    const end = this.#keyEnd
    this.#need('=')
    this.#space()
    const path = [...table, ...key]
    return { path, keySpan: { start, end }, value: this.#value(path, depth), inline }
  }

  #keyEnd = 0

  #key(): readonly string[] {
    const parts: string[] = []
    for (;;) {
      this.#space()
      parts.push(this.#keyPart())
      this.#keyEnd = this.#at
      this.#space()
      if (this.#here() !== '.') return parts
      this.#at += 1
    }
  }

  #keyPart(): string {
    const start = this.#at
    if (this.#here() === "'") {
      this.#literal()
      return this.#text.slice(start + 1, this.#at - 1)
    }
    if (this.#here() === '"') {
      this.#basic()
      const spelled = this.#text.slice(start, this.#at)
      // Escapes that JSON lacks are not supported in names of servers.
      try {
        return JSON.parse(spelled) as string
      } catch {
        throw new UnreadableToml()
      }
    }
    while (/[A-Za-z0-9_-]/.test(this.#here())) this.#at += 1
    if (this.#at === start) throw new UnreadableToml()
    return this.#text.slice(start, this.#at)
  }

  #value(path: readonly string[], depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw new UnreadableToml()
    const start = this.#at
    const sign = this.#here()
    if (sign === '[') return this.#list(path, depth)
    if (sign === '{') return this.#table(path, depth)
    if (sign === '"') this.#basic()
    else if (sign === "'") this.#literal()
    else while (this.#at < this.#text.length && !/[\s,\]}#]/.test(this.#here())) this.#at += 1
    if (this.#at === start) throw new UnreadableToml()
    return { span: { start, end: this.#at }, items: null, members: null }
  }

  #list(path: readonly string[], depth: number): TomlValue {
    const start = this.#at
    const items: Span[] = []
    this.#need('[')
    for (this.#blank(); this.#here() !== ']'; this.#blank()) {
      items.push(this.#value(path, depth + 1).span)
      this.#blank()
      if (this.#here() === ',') this.#at += 1
      else if (this.#here() !== ']') throw new UnreadableToml()
    }
    this.#need(']')
    return { span: { start, end: this.#at }, items, members: null }
  }

  #table(path: readonly string[], depth: number): TomlValue {
    const start = this.#at
    const members: TomlMember[] = []
    this.#need('{')
    for (this.#blank(); this.#here() !== '}'; this.#blank()) {
      members.push(this.#member(path, true, depth + 1))
      this.#blank()
      if (this.#here() === ',') this.#at += 1
      else if (this.#here() !== '}') throw new UnreadableToml()
    }
    this.#need('}')
    return { span: { start, end: this.#at }, items: null, members }
  }

  /** `"…"` or `"""…"""`. */
  #basic(): void {
    const isLong = this.#text.startsWith('"""', this.#at)
    this.#at += isLong ? 3 : 1
    for (;;) {
      if (this.#at >= this.#text.length) throw new UnreadableToml()
      if (this.#here() === '\\') this.#at += 2
      else if (this.#here() === '"' && !isLong) break
      else if (isLong && this.#text.startsWith('"""', this.#at)) break
      else this.#at += 1
    }
    this.#close('"', isLong)
  }

  /** `'…'` or `'''…'''`. */
  #literal(): void {
    const isLong = this.#text.startsWith("'''", this.#at)
    const end = this.#text.indexOf(isLong ? "'''" : "'", this.#at + (isLong ? 3 : 1))
    if (end === -1) throw new UnreadableToml()
    this.#at = end
    this.#close("'", isLong)
  }

  /** The content of a multi-line string may end with up to two quotes. */
  #close(sign: string, isLong: boolean): void {
    this.#at += isLong ? 3 : 1
    for (let more = 0; isLong && more < 2 && this.#here() === sign; more++) this.#at += 1
  }
}
