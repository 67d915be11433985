import { type ShapeRow, secretKnowledge, type TokenRow } from '../knowledge/secrets.ts'
import type { Codes } from './character-codes.ts'
import { isStandIn } from './placeholder.ts'
import { looksRandom } from './randomness.ts'
import type { SecretSpan } from './span.ts'

interface TokenTable {
  /** By the first three characters of their starts. */
  readonly byStart: ReadonlyMap<number, readonly TokenRow[]>
  /** Whether some start begins with these three characters, five bits of each: one lookup rules out almost every word. */
  readonly isStart: Uint8Array
  /** By the character after their first word. */
  readonly byNext: ReadonlyMap<number, readonly ShapeRow[]>
}

let table: TokenTable | undefined

function tokenTable(): TokenTable {
  table ??= buildTable()
  return table
}

function buildTable(): TokenTable {
  const { tokens, shapes } = secretKnowledge()
  const byStart = new Map<number, TokenRow[]>()
  for (const token of tokens)
    for (const key of new Set(token.starts.map((start) => startKey(start, 0))))
      byStart.set(key, [...(byStart.get(key) ?? []), token])
  const isStart = new Uint8Array(32 * 32 * 32)
  for (const key of byStart.keys()) isStart[((key >> 14) & 31) * 1024 + ((key >> 7) & 31) * 32 + (key & 31)] = 1
  return { byStart, isStart, byNext: Map.groupBy(shapes, ({ after }) => after.charCodeAt(0)) }
}

const patterns = new Map<string, RegExp>()

/** The end of a match that starts at a position; undefined without one. Patterns are compiled on first use. */
function matchEnd(text: string, start: number, source: string): number | undefined {
  const pattern = patterns.get(source) ?? new RegExp(source, 'y')
  patterns.set(source, pattern)
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function startKey(text: string, at: number): number {
  return (text.charCodeAt(at) << 14) | (text.charCodeAt(at + 1) << 7) | text.charCodeAt(at + 2)
}

/** Whether a token may start here. */
export function mayStartToken(codes: Codes, at: number): boolean {
  if (at + 8 > codes.length) return false
  const first = (codes[at] ?? 0) & 31
  const second = (codes[at + 1] ?? 0) & 31
  return tokenTable().isStart[first * 1024 + second * 32 + ((codes[at + 2] ?? 0) & 31)] === 1
}

/** The token of a known issuer that starts with a word, real or an example. */
export function tokenAt(text: string, start: number): SecretSpan | undefined {
  for (const { kind, pattern, shared } of tokenTable().byStart.get(startKey(text, start)) ?? []) {
    const matched = matchEnd(text, start, pattern)
    if (matched === undefined) continue
    const end = withoutTail(text, start, matched)
    if (shared === true && !looksRandom(text.slice(start + 3, end), 16)) continue
    return { start, end, kind }
  }
  return undefined
}

/** A hyphen or dot after a token belongs to the sentence. */
function withoutTail(text: string, start: number, end: number): number {
  let at = end
  while (at > start && (text.charAt(at - 1) === '-' || text.charAt(at - 1) === '.')) at--
  return at
}

const NEW_RELIC = '[a-z0-9]{30,44}NRAL(?!\\w)'

/** A client secret of Entra ID: three characters, a digit, `Q~`, and the rest. */
const ENTRA = '[\\w.~-]{3}\\dQ~[\\w.~-]{30,36}(?![\\w.~-])'

/** Whether a word of this length, followed by this character, may start a token of a known shape. */
export function mayHaveShape(after: number, length: number): boolean {
  return length >= 34 || after === 126 || (after >= 45 && after <= 58 && (length === 1 || length >= 8))
}

/** The token that a word belongs to, by its shape. */
export function shapeAt(text: string, start: number, end: number): SecretSpan | undefined {
  const length = end - start
  if (length >= 34 && text.startsWith('NRAL', end - 4)) return spanAt(text, start, NEW_RELIC, 'newrelic-key')
  if (text.startsWith('Q~', end - 1) && end >= 5) return spanAt(text, end - 5, ENTRA, 'azure-secret')
  for (const { kind, pattern, first_word, random } of tokenTable().byNext.get(text.charCodeAt(end)) ?? []) {
    if (length < first_word[0] || length > first_word[1]) continue
    const found = spanAt(text, start, pattern, kind)
    if (found !== undefined && (random === undefined || looksRandom(text.slice(start + 2, found.end), random)))
      return found
  }
  return undefined
}

function spanAt(text: string, start: number, pattern: string, kind: string): SecretSpan | undefined {
  const end = matchEnd(text, start, pattern)
  return end === undefined ? undefined : { start, end, kind }
}

/** Whether a token is only an example: the part after its start tells. */
export function isExampleToken({ kind }: SecretSpan, token: string): boolean {
  if (kind === 'jwt')
    return /signature$|your|example|SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c$/i.test(token.slice(-60))
  if (kind === 'slack-token')
    return isStandIn(token.slice(token.lastIndexOf('-') + 1)) || /x{4}|\d-(?:your|example)/i.test(token)
  if (kind === 'twitter-token' || kind === 'firebase-key') return /example|xxxx/i.test(token)
  const rest = token.slice(startOf(token).length, 2000)
  return isStandIn(rest) || /^[a-z]+(?:[-_][a-z]+)+$/i.test(rest)
}

/** The longest known start of a token. */
function startOf(token: string): string {
  const rows = tokenTable().byStart.get(startKey(token, 0)) ?? []
  const starts = rows.flatMap((row) => row.starts.filter((start) => token.startsWith(start)))
  return starts.reduce((longest, start) => (start.length > longest.length ? start : longest), '')
}
