import { secretKnowledge } from '../knowledge/secrets.ts'
import { findCommandSecrets, mayNameProgram } from './command-secrets.ts'
import { isCount, NAME_IN_TEXT, secretKind } from './key-names.ts'
import { type SecretSpan, withoutOverlaps } from './span.ts'

/**
 * SECURITY: A25, A32. Every pattern in `redaction.yaml` and here is linear: it ends with its repetition (so a failing try
 * reads a bounded number of characters), or it can start only where its repeated class cannot.
 */
let tokenPattern: RegExp | undefined

function tokens(): RegExp {
  tokenPattern ??= new RegExp(
    secretKnowledge()
      .redaction.map(({ pattern }) => `(${pattern})`)
      .join('|'),
    'g',
  )
  return tokenPattern
}

const BEGIN_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/g

const AUTH = /(?<![a-z])(?:bearer|basic)\s{1,4}([\w+/=.~-]{8,})/gi

const URL_LOGIN = /:\/\/[^\s/?#"'@:]*:([^\s/?#"']+)@/g

/** A token in the place of the user: `https://token@host`. */
const URL_TOKEN = /https?:\/\/([^\s/?#"'@:]{8,})@/g

/** Parameters of a URL that sign a request or a session. */
const URL_PARAMETER = /[?&](?:sig|signature|sign|code|key|auth|hash|jwt|session|sid|ticket|otp)=([^\s&#"'`<>]{8,})/gi

const USER_FLAG = /(?:^|[\s"'])(?:-u|--user|--proxy-user)[\s=]{1,4}["']?([^\s:"']{1,128}):([^\s"']+)/g

const NAMED = new RegExp(NAME_IN_TEXT, 'gi')

let tokenStart: RegExp | undefined

/** A quick search for the start of any token. */
function tokenStarts(): RegExp {
  tokenStart ??= new RegExp(['-----BEGIN', ...secretKnowledge().redaction.map(({ starts }) => starts)].join('|'))
  return tokenStart
}

/** A quick search for words that announce a secret, in plain text and in canonical JSON. */
const WORD_LEAD = /pass|secret|token|key|credential|pwd?[=:]|authorization|cookie|redis|sonar|auth|bearer|basic|-u/i
const WORD_FOUND = new RegExp(`${NAME_IN_TEXT}|(?:bearer|basic)\\s|-u(?:ser)?[\\s=]`, 'i')

/** Whether a text may hold a secret. `false` is certain; `true` only calls for a search. */
export function mayHoldSecret(text: string): boolean {
  if (text.length < 4) return false
  return (
    // A separator may be escaped (`\\n` in JSON): then the full search decides.
    (WORD_LEAD.test(text) && (text.includes('\\') || WORD_FOUND.test(text))) ||
    tokenStarts().test(text) ||
    (text.includes('://') && /[@?&]/.test(text)) ||
    mayNameProgram(text)
  )
}

/**
 * Every secret in a text, in order and without overlaps. `isNamed` decides whether a value under a secret's name counts;
 * without it every one does.
 */
export function findSecrets(text: string, isNamed?: (value: string) => boolean): readonly SecretSpan[] {
  const found: SecretSpan[] = []
  for (const match of text.matchAll(tokens())) {
    const group = match.findIndex((part, index) => index > 0 && part !== undefined)
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      kind: secretKnowledge().redaction[group - 1]?.kind ?? 'token',
    })
  }
  findPrivateKeys(text, found)
  for (const match of text.matchAll(AUTH)) if (looksRandom(match[1] ?? '')) found.push(last(match, 1, 'credentials'))
  for (const match of text.matchAll(URL_LOGIN)) found.push(last(match, 1, 'password', 1))
  for (const match of text.matchAll(URL_TOKEN)) found.push(last(match, 1, 'token', 1))
  for (const match of text.matchAll(URL_PARAMETER)) found.push(last(match, 1, 'token'))
  for (const match of text.matchAll(USER_FLAG)) if (!isNumbers(match)) found.push(last(match, 2, 'password'))
  findNamed(text, found, isNamed)
  findCommandSecrets(text, found, isNamed)
  return withoutOverlaps(found)
}

function findPrivateKeys(text: string, found: SecretSpan[]): void {
  BEGIN_KEY.lastIndex = 0
  for (let match = BEGIN_KEY.exec(text); match !== null; match = BEGIN_KEY.exec(text)) {
    const footer = text.indexOf('-----END', match.index)
    const close = footer < 0 ? -1 : text.indexOf('-----', footer + 8)
    const end = close < 0 ? text.length : close + 5
    found.push({ start: match.index, end, kind: 'private-key' })
    BEGIN_KEY.lastIndex = end
  }
}

function findNamed(text: string, found: SecretSpan[], isNamed: ((value: string) => boolean) | undefined): void {
  NAMED.lastIndex = 0
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const value = secretValue(text, match.index, match[0])
    if (value === undefined || isNamed?.(text.slice(value.start, value.end)) === false) continue
    found.push({ start: value.start, end: value.end, kind: value.kind })
    NAMED.lastIndex = Math.max(value.end, NAMED.lastIndex)
  }
}

/** The span of a group that ends its match, except for `after` characters. */
function last(match: RegExpExecArray, group: number, kind: string, after = 0): SecretSpan {
  const end = match.index + match[0].length - after
  return { start: end - (match[group] ?? '').length, end, kind }
}

function looksRandom(value: string): boolean {
  return /[0-9=+/]|[a-z][A-Z]/.test(value)
}

function isNumbers(match: RegExpExecArray): boolean {
  return /^\d+$/.test(match[1] ?? '') && /^\d+$/.test(match[2] ?? '')
}

const QUOTED = /["'`]/

/** Ends an unquoted value. */
const END_OF_WORD = /[\s"'`,;&|)}\]<>\\]/g

const END_OF_LINE = /["'`\r\n]/g

/** A redaction: already hidden, so never hidden twice. */
export const REDACTED = /^\[redacted:[a-z-]+:[0-9a-f]{16}\]$/

const REDACTED_HERE = /^\[redacted:[a-z-]{1,32}:[0-9a-f]{16}\]/

/** The value of a secret's name in a text; undefined without one. */
function secretValue(text: string, nameStart: number, found: string): SecretSpan | undefined {
  if (isInRedaction(text, nameStart)) return undefined
  const separator = found.at(-1)
  const named = separator === '=' || separator === ':'
  // Without `=` or `:` only an option of a command takes the next word: `--token abc`.
  if (!named && (separator === ',' || !isFlag(text, nameStart))) return undefined
  let start = nameStart + found.length
  while (start < text.length && start < nameStart + found.length + 8 && isBlank(text, start)) start++
  const kind = secretKind(found)
  const span = kind === 'header' ? upTo(text, start, END_OF_LINE) : wordAt(text, start)
  const value = text.slice(span.start, span.end)
  if (value === '' || REDACTED.test(value) || isCount(kind, value)) return undefined
  return { ...span, kind }
}

/** The next word, quoted or not. In JSON inside a string, quotes have backslashes before them. */
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
  // A redaction is one word although it has brackets.
  const redacted = REDACTED_HERE.exec(text.slice(start, start + 80))
  end.lastIndex = start + (redacted?.[0].length ?? 0)
  return { start, end: end.exec(text)?.index ?? text.length }
}

/** `[redacted:password:…]` names a secret that is already hidden. */
function isInRedaction(text: string, nameStart: number): boolean {
  const from = Math.max(0, nameStart - 24)
  const start = from + text.slice(from, nameStart).lastIndexOf('[')
  return start >= from && REDACTED_HERE.test(text.slice(start, start + 80))
}

function isFlag(text: string, nameStart: number): boolean {
  let at = nameStart
  while (at > 0 && nameStart - at < 32 && /[\w-]/.test(text.charAt(at - 1))) at--
  return text.charAt(at) === '-' && at < nameStart
}

function isBlank(text: string, at: number): boolean {
  return text.charAt(at) === ' ' || text.charAt(at) === '\t'
}
