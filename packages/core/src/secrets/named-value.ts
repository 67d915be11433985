import { isCount, secretKind } from './key-names.ts'
import type { SecretSpan } from './span.ts'

const QUOTED = /["'`]/

/** Ends an unquoted value. */
const END_OF_WORD = /[\s"'`,;&|)}\]<>\\]/g

const END_OF_LINE = /["'`\r\n]/g

/** What a redaction leaves behind: hidden already, so never hidden twice. */
export const MARK = /^\[redacted:[a-z-]+:[0-9a-f]{16}\]$/

const MARK_HERE = /^\[redacted:[a-z-]{1,32}:[0-9a-f]{16}\]/

/** The value that belongs to a secret's name found in a text; undefined when none does. */
export function secretValue(text: string, nameStart: number, found: string): SecretSpan | undefined {
  if (isInMark(text, nameStart)) return undefined
  const separator = found.at(-1)
  const named = separator === '=' || separator === ':'
  // Without `=` or `:` only a flag of a command line takes the next word: `--token abc`.
  if (!named && (separator === ',' || !isFlag(text, nameStart))) return undefined
  let start = nameStart + found.length
  while (start < text.length && start < nameStart + found.length + 8 && isBlank(text, start)) start++
  const kind = secretKind(found)
  const span = kind === 'header' ? upTo(text, start, END_OF_LINE) : wordAt(text, start)
  const value = text.slice(span.start, span.end)
  if (value === '' || MARK.test(value) || isCount(kind, value)) return undefined
  return { ...span, kind }
}

/** The next word, quoted or not. Inside JSON in a string a quote has backslashes before it; its like closes it. */
function wordAt(text: string, start: number): { readonly start: number; readonly end: number } {
  let open = start
  while (text.charAt(open) === '\\' && open < start + 4) open++
  if (!QUOTED.test(text.charAt(open))) return upTo(text, start, END_OF_WORD)
  const from = open + 1
  const close = closing(text, from, text.slice(start, from))
  return close < 0 ? upTo(text, from, END_OF_LINE) : { start: from, end: close }
}

function closing(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (quote.length > 1 || text.charAt(at - 1) !== '\\') return at
  }
  return -1
}

function upTo(text: string, start: number, end: RegExp): { readonly start: number; readonly end: number } {
  // A mark is one word although it has brackets.
  const marked = MARK_HERE.exec(text.slice(start, start + 80))
  end.lastIndex = start + (marked?.[0].length ?? 0)
  return { start, end: end.exec(text)?.index ?? text.length }
}

/** `[redacted:password:…]` names a secret that is no longer there. */
function isInMark(text: string, nameStart: number): boolean {
  const from = Math.max(0, nameStart - 24)
  const start = from + text.slice(from, nameStart).lastIndexOf('[')
  return start >= from && MARK_HERE.test(text.slice(start, start + 80))
}

function isFlag(text: string, nameStart: number): boolean {
  let at = nameStart
  while (at > 0 && nameStart - at < 32 && /[\w-]/.test(text.charAt(at - 1))) at--
  return text.charAt(at) === '-' && at < nameStart
}

function isBlank(text: string, at: number): boolean {
  return text.charAt(at) === ' ' || text.charAt(at) === '\t'
}
