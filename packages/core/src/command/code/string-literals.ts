import type { Syntax } from './language-syntax.ts'
import type { CodeToken, PendingCode } from './tokenizer.ts'

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** The position of the closing delimiter, counting nested pairs; null without one (or not on this line). */
export function closingOf(text: string, from: number, open: string, close: string, oneLine = false): number | null {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (oneLine && char === '\n') return null
    else if (char === close && depth === 0) return at
    else if (char === close) depth--
    else if (char === open && open !== close) depth++
  }
  return null
}

/** Reads a string from its opening quote and queues code inside it. Returns where it ends. */
export function readText(
  text: string,
  at: number,
  prefix: string,
  syntax: Syntax,
  tokens: CodeToken[],
  pending: PendingCode,
): number {
  const quote = text[at] ?? ''
  const mark = syntax.triples && text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote
  const start = at + mark.length
  let end = start
  while (end < text.length && !text.startsWith(mark, end)) end += text[end] === '\\' ? 2 : 1
  const inside = text.slice(start, Math.min(end, text.length))
  const inserts = prefix.includes('f') ? syntax.insertQuotes.includes('f') : syntax.insertQuotes.includes(quote)
  const open = inserts ? syntax.inserts.filter((sign) => inside.includes(sign)) : []
  for (const sign of open) insertedCode(inside, sign, pending)
  const dynamic = open.length > 0 || (inserts && syntax.sigils !== '' && /[$@]\w/.test(inside))
  tokens.push({
    kind: quote === '`' && syntax.backtick === 'shell' ? 'shell' : 'string',
    text: prefix.includes('r') ? inside : unescaped(inside),
    dynamic,
  })
  return Math.min(end + mark.length, text.length)
}

function insertedCode(inside: string, sign: string, pending: PendingCode): void {
  for (let at = inside.indexOf(sign); at !== -1; ) {
    const from = at + sign.length
    const close = closingOf(inside, from, '{', '}')
    pending.code.push(inside.slice(from, close ?? inside.length))
    at = close === null ? -1 : inside.indexOf(sign, close)
  }
}

/** Decodes escapes: `\x72m` is `rm`. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|([\s\S]))/g, (_, hex, wide, octal, one) => {
    if (hex !== undefined || wide !== undefined) return String.fromCharCode(Number.parseInt(hex ?? wide, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return one === 'n' ? '\n' : one === 't' ? '\t' : one
  })
}

const PERCENT = /^%([wWqQxirsI]?)([([{<|!/])/

/** Ruby's `%x(…)`, `%w[…]` and similar; null when the percent sign is an operator. */
export function readPercent(text: string, at: number, tokens: CodeToken[]): number | null {
  const match = PERCENT.exec(text.slice(at, at + 3))
  const before = tokens.at(-1)
  if (match === null || match[2] === undefined) return null
  const value = before !== undefined && before.kind !== 'end' && (before.kind !== 'sign' || /[)\]]/.test(before.text))
  if (value && match[1] === '') return null
  const from = at + match[0].length
  const end = closingOf(text, from, match[2], PAIRS[match[2]] ?? match[2])
  if (end === null) return unclosed(text, tokens)
  const inside = text.slice(from, end)
  tokens.push({ kind: match[1] === 'x' ? 'shell' : 'string', text: inside, dynamic: inside.includes('#{') })
  return end + 1
}

/** After an unclosed string the rest is not read and counts as the worst; searching on would take quadratic time. */
function unclosed(text: string, tokens: CodeToken[]): number {
  tokens.push({ kind: 'name', text: 'eval', dynamic: false })
  return text.length
}

const ONE_PART = new Set(['q', 'qq', 'qw', 'qx', 'qr', 'm'])
const TWO_PARTS = new Set(['s', 'tr', 'y'])

/** Perl's `qx{…}`, `s/…/…/e` and similar; null for an ordinary name. */
export function readQuoteWord(
  text: string,
  name: string,
  at: number,
  tokens: CodeToken[],
  pending: PendingCode,
): number | null {
  const open = text[at] ?? ''
  if (!ONE_PART.has(name) && !TWO_PARTS.has(name)) return null
  if (!/[^\w\s,;)=]/.test(open) || (open === '-' && text[at + 1] === '>')) return null
  const close = PAIRS[open] ?? open
  const end = closingOf(text, at + 1, open, close)
  if (end === null) return unclosed(text, tokens)
  const first = text.slice(at + 1, end)
  if (ONE_PART.has(name)) {
    tokens.push({
      kind: name === 'qx' ? 'shell' : 'string',
      text: first,
      dynamic: /[$@]\w/.test(first) || name === 'm',
    })
    return end + 1
  }
  const paired = close !== open
  const from = paired ? text.indexOf(open, end + 1) : end
  const second = from === -1 ? null : closingOf(text, from + 1, open, close)
  if (second === null) return unclosed(text, tokens)
  const flags = /^[a-z]{0,12}/.exec(text.slice(second + 1, second + 13))?.[0] ?? ''
  if (name === 's' && flags.includes('e')) pending.code.push(text.slice(from + 1, second))
  tokens.push({ kind: 'string', text: '', dynamic: true })
  return second + 1 + flags.length
}
