import type { Span } from './text.ts'

/** A value of a TOML text by its place: where it stands, and the places inside it. */
export interface TomlValue {
  readonly span: Span
  /** Of a list. */
  readonly items: readonly Span[] | null
  /** Of an inline table. */
  readonly members: readonly TomlMember[] | null
}

export interface TomlMember {
  /** The whole key: the table's and its own, dots taken apart. */
  readonly path: readonly string[]
  readonly keySpan: Span
  readonly value: TomlValue
  /** Whether it stands in an inline table. */
  readonly inline: boolean
}

const MAX_DEPTH = 64

class Unreadable extends Error {}

/**
 * The members of a TOML text with their places; null where it cannot be followed. It only finds places in texts that
 * a parser has read already: what they mean is the parser's to say.
 */
export function scanToml(text: string): readonly TomlMember[] | null {
  try {
    return new Scanner(text).document()
  } catch (error) {
    if (error instanceof Unreadable) return null
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
    if (!this.#text.startsWith(sign, this.#at)) throw new Unreadable()
    this.#at += sign.length
  }

  /** Past blanks, line breaks and comments. */
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

  /** `[a.b]`; the tables of a list `[[a.b]]` get a name of their own, so that nothing is found in them. */
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
      // Escapes that JSON does not have are not looked for in the names of servers.
      try {
        return JSON.parse(spelled) as string
      } catch {
        throw new Unreadable()
      }
    }
    while (/[A-Za-z0-9_-]/.test(this.#here())) this.#at += 1
    if (this.#at === start) throw new Unreadable()
    return this.#text.slice(start, this.#at)
  }

  #value(path: readonly string[], depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw new Unreadable()
    const start = this.#at
    const sign = this.#here()
    if (sign === '[') return this.#list(path, depth)
    if (sign === '{') return this.#table(path, depth)
    if (sign === '"') this.#basic()
    else if (sign === "'") this.#literal()
    else while (this.#at < this.#text.length && !/[\s,\]}#]/.test(this.#here())) this.#at += 1
    if (this.#at === start) throw new Unreadable()
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
      else if (this.#here() !== ']') throw new Unreadable()
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
      else if (this.#here() !== '}') throw new Unreadable()
    }
    this.#need('}')
    return { span: { start, end: this.#at }, items: null, members }
  }

  /** `"…"` or `"""…"""`. */
  #basic(): void {
    const isLong = this.#text.startsWith('"""', this.#at)
    this.#at += isLong ? 3 : 1
    for (;;) {
      if (this.#at >= this.#text.length) throw new Unreadable()
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
    if (end === -1) throw new Unreadable()
    this.#at = end
    this.#close("'", isLong)
  }

  /** A long text may end with up to two quotes of its own. */
  #close(sign: string, isLong: boolean): void {
    this.#at += isLong ? 3 : 1
    for (let more = 0; isLong && more < 2 && this.#here() === sign; more++) this.#at += 1
  }
}
