import type { Json, JsonObject } from '@countersign/core'

/** A piece of a text, from its start up to its end. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** `"command": "npx"` or `command = "npx"` in the text of a configuration. */
export interface Member {
  readonly key: string
  /** The key as it is spelled, quotes and all. */
  readonly keySpan: Span
  readonly value: Span
  readonly data: Json
  /** The items, where the value is a list. */
  readonly items: readonly Span[] | null
}

/** One server of a client's configuration, with the places of its text. */
export interface ServerEntry {
  readonly name: string
  /** The keys that lead to it. */
  readonly path: readonly string[]
  /** From the first of its members to the last. */
  readonly span: Span
  readonly members: readonly Member[]
  readonly data: JsonObject
  /** How a member is spelled here: `json`, a line of a TOML table, or part of an inline TOML table. */
  readonly style: 'json' | 'toml-line' | 'toml-inline'
}

/** A configuration that was read: its text stays as it is but for what is edited. */
export interface ConfigText {
  readonly format: 'json' | 'toml'
  readonly text: string
  readonly entries: readonly ServerEntry[]
  /** The whole of it as data. */
  readonly data: JsonObject
}

/** One change of a text. */
export interface Edit extends Span {
  readonly text: string
}

/** The text with all edits made. They must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let out = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    out += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return out + text.slice(at)
}

/** A text as both JSON and TOML spell it. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

/** A list as both spell it. */
export function quotedList(items: readonly string[]): string {
  return `[${items.map(quoted).join(', ')}]`
}

/** `"key": value` or `key = value`. */
export function spelled({ style }: Pick<ServerEntry, 'style'>, key: string, value: string): string {
  if (style === 'json') return `${quoted(key)}: ${value}`
  return `${/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key)} = ${value}`
}

/** An object of texts as the style of an entry spells it. */
export function spelledTexts(entry: Pick<ServerEntry, 'style'>, texts: { readonly [key: string]: string }): string {
  return `{ ${Object.entries(texts)
    .map(([key, value]) => spelled(entry, key, quoted(value)))
    .join(', ')} }`
}

/** What stands between one member and the next, with the indent of `beside` and the line ends of the text. */
export function separator(text: string, { style }: Pick<ServerEntry, 'style'>, beside: Member): string {
  let start = beside.keySpan.start
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1
  const lead = text.slice(start, beside.keySpan.start)
  if (style === 'toml-line') return `${/\r\n/.test(text) ? '\r\n' : '\n'}${lead.slice(lead.lastIndexOf('\n') + 1)}`
  return style === 'json' && lead.includes('\n') ? `,${lastLine(lead)}` : ', '
}

/** The last line break of blanks, `\r\n` or `\n` as it is, and what follows it. */
export function lastLine(blanks: string): string {
  const at = blanks.lastIndexOf('\n')
  return blanks.slice(blanks[at - 1] === '\r' ? at - 1 : at)
}

export function memberOf(entry: Pick<ServerEntry, 'members'>, key: string): Member | undefined {
  return entry.members.find((member) => member.key === key)
}

/** The text of one server, from the first of its members to the last. */
export function textOf({ text }: Pick<ConfigText, 'text'>, { span }: Pick<ServerEntry, 'span'>): string {
  return text.slice(span.start, span.end)
}
