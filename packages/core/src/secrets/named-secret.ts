import { type AssignedValue, fallback, type Run, separatorEnd, valueAt } from './assigned-value.ts'
import { type Codes, codesOf } from './character-codes.ts'
import { classifyName, type NameClass } from './name-classifier.ts'
import { isPlaceholder } from './placeholder.ts'
import { looksRandom } from './randomness.ts'
import type { SecretSpan } from './span.ts'
import { isSecretValue, loginOfBase64, type Writing } from './value-classifier.ts'

/** Ends of names that may have a value without `=` or `:`. */
const ENDINGS = new Uint8Array(32 * 32 * 32)
for (const ending of ['ord', 'swd', 'pwd', 'ass', 'ret', 'ken', 'key', 'ase', 'ode', 'rer', 'sic', 'tkn', 'pat'])
  ENDINGS[threeAt(codesOf(ending), 0)] = 1

/** Three letters of every word that makes a name a secret's: a name without any of them is not. */
const STEMS = new Uint8Array(32 * 32 * 32)
for (const stem of [
  'pas',
  'pwd',
  'ecr',
  'oke',
  'tkn',
  'key',
  'red',
  'aut',
  'ook',
  'ess',
  'sid',
  'sig',
  'sal',
  'epp',
  'dsn',
  'ear',
  'asi',
  'hma',
  'srf',
  'nem',
  'hra',
  'val',
  'efa',
  'pat',
  'tri',
  'see',
])
  STEMS[threeAt(codesOf(stem), 0)] = 1

const MAX_NAME = 96

const NAME = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-')
  NAME[letter.charCodeAt(0)] = 1

/** Characters that may directly follow a name with a value. */
const FOLLOWS = new Uint8Array(128)
for (const sign of '=: \t"\'`\\])?!,(>|') FOLLOWS[sign.charCodeAt(0)] = 1

/** Whether a word may be a secret's name: something is assigned to it, or it ends like one. */
export function mayBeNamed(codes: Codes, start: number, end: number): boolean {
  if (end - start < 2 || end >= codes.length) return false
  let at = end
  let sign = codes[at] ?? 0
  if (sign > 127 || FOLLOWS[sign] !== 1) return false
  const last = Math.min(end + 6, codes.length - 1)
  while (at < last && isBetween(sign)) sign = codes[++at] ?? 0
  if (sign === 61 || sign === 58) return hasStem(codes, nameStart(codes, start), end)
  return end - start > 2 && ENDINGS[threeAt(codes, end - 3)] === 1
}

/** A blank, quote, backslash, bracket or question mark between a name and its separator. */
function isBetween(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 || code === 93 || code === 63
}

function hasStem(codes: Codes, start: number, end: number): boolean {
  for (let at = start; at < end - 2; at++) if (STEMS[threeAt(codes, at)] === 1) return true
  // `pw`
  return ((codes[end - 1] ?? 0) & 31) === 23 && ((codes[end - 2] ?? 0) & 31) === 16
}

function threeAt(codes: Codes, at: number): number {
  return (((codes[at] ?? 0) & 31) << 10) | (((codes[at + 1] ?? 0) & 31) << 5) | ((codes[at + 2] ?? 0) & 31)
}

/** An assignment of something that starts like data. */
const MAY_BE_DATA = /^["']?\s{0,4}[:=]\s{0,4}["'\w]/

/** The secret next to a name, if both the name and the value look like one. */
export function namedSecret(text: string, codes: Codes, start: number, end: number, run: Run): SecretSpan | undefined {
  const from = nameStart(codes, start)
  const name = text.slice(from, end)
  const scheme = schemeOf(name)
  if (scheme !== null) return credentials(text, end, scheme)
  const nameClass = classifyName(name)
  if (nameClass === null) return undefined
  const meant =
    nameClass !== 'value' ? nameClass : MAY_BE_DATA.test(text.slice(end, end + 12)) ? nameBefore(text, from) : null
  if (meant === null || meant === 'value') return undefined
  if (meant === 'header') return headerValue(text, end)
  const value = valueBeside(text, from, end, meant, run)
  return value === undefined ? undefined : { start: value.start, end: value.end, kind: kindOf(meant, name) }
}

function valueBeside(
  text: string,
  from: number,
  end: number,
  nameClass: NameClass,
  run: Run,
): AssignedValue | undefined {
  const separator = separatorEnd(text, end)
  if (separator === undefined) return wordAfter(text, from, end, nameClass, run)
  const { at, sign } = separator
  if (sign === '>' && !/[<"']/.test(text.charAt(from - 1))) return undefined
  // In a sentence: "do pass `this`".
  if (sign === '' && (text.charAt(at) === '`' || /pass$/i.test(text.slice(from, end)))) return undefined
  const value = valueAt(text, at, bareWriting(text, end, at, sign), run)
  if (value === undefined || (sign === '>' && text.charAt(value.end) !== '<')) return undefined
  if (sign.startsWith('==') && value.writing !== 'quoted') return undefined
  if (isSecret(nameClass, text, value)) return value
  const other = value.writing === 'quoted' ? undefined : fallback(text, at)
  return other !== undefined && isSecret(nameClass, text, other) ? other : undefined
}

function isSecret(nameClass: NameClass, text: string, value: AssignedValue): boolean {
  const written = text.slice(value.start, Math.min(value.end, value.start + 8193))
  if (nameClass === 'weak' && loginOfBase64(written) === true) return true
  return isSecretValue(nameClass, written, value.writing)
}

/** `NAME=value` and `name: value` are data. Blanks around `=` are code, where a bare word is a variable. */
function bareWriting(text: string, nameEnd: number, at: number, sign: string): Writing {
  if (sign.startsWith(':') || text.charAt(nameEnd) === '=') return 'bare'
  return text.slice(nameEnd, at).includes(' ') ? 'code' : 'bare'
}

/** `--token abc`, `password abc` in .netrc, `ENV TOKEN abc`, `requirepass abc`; elsewhere only a clearly random word. */
function wordAfter(text: string, from: number, end: number, nameClass: NameClass, run: Run): AssignedValue | undefined {
  if (!/[ \t]/.test(text.charAt(end))) return undefined
  let at = end
  while (at < end + 8 && /[ \t]/.test(text.charAt(at))) at++
  const is = /^(?:is|was|are)[: ]{1,2}/.exec(text.slice(at, at + 5))?.[0].length ?? 0
  const value = valueAt(text, at + is, 'bare', run)
  if (value === undefined || value.end === value.start) return undefined
  const written = text.slice(value.start, Math.min(value.end, value.start + 8193))
  if (written.startsWith('-')) return undefined
  const isExplicit =
    text.charAt(from) === '-' ||
    is > 0 ||
    /(?:machine|login|ENV|ARG|setx|set -gx|set|default) [^\n]{0,100}$|^\s*(?:requirepass|masterauth)$/.test(
      lineBefore(text, from, end),
    )
  if (isExplicit) return isSecretValue(nameClass, written.replace(/[.,]$/, ''), 'bare') ? value : undefined
  return nameClass !== 'weak' &&
    !/^[0-9a-f]+$/i.test(written) &&
    looksRandom(written, 20) &&
    isSecretValue(nameClass, written, 'bare')
    ? value
    : undefined
}

function lineBefore(text: string, from: number, end: number): string {
  const before = text.slice(Math.max(0, from - 120), from)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return line.trim() === '' ? text.slice(from, end) : line
}

/** `name: DB_PASSWORD, value: …`: the name is in the pair before. */
function nameBefore(text: string, from: number): NameClass | null {
  PAIR.lastIndex = 0
  const before = text.slice(Math.max(0, from - 160), from)
  let name = ''
  let end = 0
  for (let match = PAIR.exec(before); match !== null; match = PAIR.exec(before)) {
    name = match[1] ?? ''
    end = PAIR.lastIndex
  }
  return name === '' || /\b(?:value|val|default)\b/i.test(before.slice(end)) ? null : classifyName(name)
}

const PAIR = /(?:[nN]ame|NAME|[kK]ey|KEY|variable|[pP]arameter|\bid)["']?[ \t]{0,2}[:= ][ \t]{0,2}["']?([\w./-]{2,64})/g

function nameStart(codes: Codes, start: number): number {
  let at = start
  while (at > 0 && start - at < MAX_NAME && NAME[codes[at - 1] ?? 0] === 1) at--
  return at
}

const SCHEMES = /^(?:bearer|basic)$/i

function schemeOf(name: string): 'bearer' | 'basic' | null {
  return SCHEMES.test(name) ? (name.toLowerCase() === 'basic' ? 'basic' : 'bearer') : null
}

const CREDENTIALS = /[ \t]{1,4}([\w+/=.~-]{8,8192})/y

/** The credentials after `Bearer` or `Basic`. */
function credentials(text: string, end: number, scheme: 'bearer' | 'basic'): SecretSpan | undefined {
  CREDENTIALS.lastIndex = end
  const [whole = '', value = ''] = CREDENTIALS.exec(text) ?? []
  if (value === '') return undefined
  const real = scheme === 'basic' ? loginOfBase64(value) === true : isBearer(value)
  return real ? { start: end + whole.length - value.length, end: end + whole.length, kind: scheme } : undefined
}

function isBearer(value: string): boolean {
  return !isPlaceholder(value) && isSecretValue('token', value, 'quoted')
}

const HEADER_VALUE =
  /["'\]\\]{0,4}[ \t]{0,4}(?:[:=,]|=>)[ \t]{0,4}\\{0,3}["'`]?(?:(Bearer|Basic)[ \t]|(?:[A-Za-z]{3,12}[ \t]{1,2})?(?:token=)?["']?([\w+/=.~-]{12,4096}))/iy

/** The credentials of an `Authorization` header. `Bearer` and `Basic` are found as words. */
function headerValue(text: string, end: number): SecretSpan | undefined {
  HEADER_VALUE.lastIndex = end
  const [whole = '', scheme, value = ''] = HEADER_VALUE.exec(text) ?? []
  if (scheme !== undefined || value === '' || !isBearer(value)) return undefined
  return { start: end + whole.length - value.length, end: end + whole.length, kind: 'authorization' }
}

function kindOf(nameClass: NameClass, name: string): string {
  if (nameClass === 'weak' || nameClass === 'key')
    return /aws|amazon/i.test(name) ? 'aws-secret' : nameClass === 'key' ? 'api-key' : 'credential'
  return nameClass === 'phrase' ? 'passphrase' : nameClass
}
