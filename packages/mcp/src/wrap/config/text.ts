import type { Json, JsonObject } from '@countersign/core'

/** A range of a text; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A key and its value in a configuration: `"command": "npx"` or `command = "npx"`. */
export interface Member {
  readonly key: string
  /** The key, including its quotes. */
  readonly keySpan: Span
  readonly value: Span
  readonly data: Json
  /** The items of a list. */
  readonly items: readonly Span[] | null
}

/** One server of a client's configuration, with its ranges in the text. */
export interface ServerEntry {
  readonly name: string
  /** The key path. */
  readonly path: readonly string[]
  /** From its first member to its last. */
  readonly span: Span
  readonly members: readonly Member[]
  readonly data: JsonObject
  /** The syntax of its members: JSON, lines of a TOML table, or an inline TOML table. */
  readonly style: 'json' | 'toml-line' | 'toml-inline'
}

/** A parsed configuration with its original text. */
export interface ConfigText {
  readonly format: 'json' | 'toml'
  readonly text: string
  readonly entries: readonly ServerEntry[]
  /** The parsed data. */
  readonly data: JsonObject
}

/** One replacement in a text. */
export interface Edit extends Span {
  readonly text: string
}

/** Applies edits, which must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let out = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    out += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return out + text.slice(at)
}

/** A string literal that is valid in both JSON and TOML. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

/** A list that is valid in both. */
export function quotedList(items: readonly string[]): string {
  return `[${items.map(quoted).join(', ')}]`
}

/** A member in the syntax of an entry. */
export function spelled({ style }: Pick<ServerEntry, 'style'>, key: string, value: string): string {
  if (style === 'json') return `${quoted(key)}: ${value}`
  return `${/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key)} = ${value}`
}

/** An object of strings in the syntax of an entry. */
export function spelledMap(entry: Pick<ServerEntry, 'style'>, texts: { readonly [key: string]: string }): string {
  return `{ ${Object.entries(texts)
    .map(([key, value]) => spelled(entry, key, quoted(value)))
    .join(', ')} }`
}

/** The separator between two members, with the indent of `beside` and the text's line endings. */
export function separator(text: string, { style }: Pick<ServerEntry, 'style'>, beside: Member): string {
  let start = beside.keySpan.start
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1
  const lead = text.slice(start, beside.keySpan.start)
  if (style === 'toml-line') return `${/\r\n/.test(text) ? '\r\n' : '\n'}${lead.slice(lead.lastIndexOf('\n') + 1)}`
  return style === 'json' && lead.includes('\n') ? `,${lastLine(lead)}` : ', '
}

/** The last line break (`\r\n` or `\n`) of white space and what follows it. */
export function lastLine(blanks: string): string {
  const at = blanks.lastIndexOf('\n')
  return blanks.slice(blanks[at - 1] === '\r' ? at - 1 : at)
}

export function memberOf(entry: Pick<ServerEntry, 'members'>, key: string): Member | undefined {
  return entry.members.find((member) => member.key === key)
}

/** The text of one server entry. */
export function textOf({ text }: Pick<ConfigText, 'text'>, { span }: Pick<ServerEntry, 'span'>): string {
  return text.slice(span.start, span.end)
}
