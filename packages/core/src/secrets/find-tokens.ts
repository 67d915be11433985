import type { Codes } from './character-codes.ts'
import { isStandIn } from './placeholder.ts'
import { looksRandom } from './randomness.ts'
import type { SecretSpan } from './span.ts'
import { SHARED_LEADS, TOKENS } from './token-table.ts'

interface Token {
  readonly kind: string
  readonly pattern: RegExp
  readonly shared: boolean
  readonly leads: readonly string[]
}

/** By their first three characters. */
const BY_LEAD = new Map<number, Token[]>()

for (const [rows, shared] of [
  [TOKENS, false],
  [SHARED_LEADS, true],
] as const) {
  for (const [kind, leads, pattern] of rows) {
    const token = { kind, pattern: new RegExp(pattern, 'y'), shared, leads: leads.split(' ') }
    for (const key of new Set(token.leads.map((lead) => leadKey(lead, 0)))) {
      BY_LEAD.set(key, [...(BY_LEAD.get(key) ?? []), token])
    }
  }
}

/** Which three characters begin some lead, five bits of each: one look settles almost every word. */
const BEGINS = new Uint8Array(32 * 32 * 32)
for (const key of BY_LEAD.keys()) BEGINS[((key >> 14) & 31) * 1024 + ((key >> 7) & 31) * 32 + (key & 31)] = 1

function leadKey(text: string, at: number): number {
  return (text.charCodeAt(at) << 14) | (text.charCodeAt(at + 1) << 7) | text.charCodeAt(at + 2)
}

/** Whether a token may begin here. */
export function mayLead(codes: Codes, at: number): boolean {
  if (at + 8 > codes.length) return false
  const first = (codes[at] ?? 0) & 31
  const second = (codes[at + 1] ?? 0) & 31
  return BEGINS[first * 1024 + second * 32 + ((codes[at + 2] ?? 0) & 31)] === 1
}

/** The issuer's token that begins at a word's start, whatever it is worth; undefined when none does. */
export function tokenAt(text: string, start: number): SecretSpan | undefined {
  for (const { kind, pattern, shared } of BY_LEAD.get(leadKey(text, start)) ?? []) {
    pattern.lastIndex = start
    if (!pattern.test(text)) continue
    const end = withoutTail(text, start, pattern.lastIndex)
    if (shared && !looksRandom(text.slice(start + 3, end), 16)) continue
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

/** Whether a token is only an example of one: its part after the last separator says so. */
export function isExampleToken({ kind }: SecretSpan, token: string): boolean {
  if (kind === 'jwt')
    return /signature$|your|example|SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c$/i.test(token.slice(-60))
  if (kind === 'slack-token')
    return isStandIn(token.slice(token.lastIndexOf('-') + 1)) || /x{4}|\d-(?:your|example)/i.test(token)
  if (kind === 'twitter-token' || kind === 'firebase-key') return /example|xxxx/i.test(token)
  const rest = token.slice(leadOf(token).length, 2000)
  return isStandIn(rest) || /^[a-z]+(?:[-_][a-z]+)+$/i.test(rest)
}

/** How an issuer’s token begins: the same in every one of them. */
function leadOf(token: string): string {
  const leads = (BY_LEAD.get(leadKey(token, 0)) ?? []).flatMap((row) =>
    row.leads.filter((lead) => token.startsWith(lead)),
  )
  return leads.reduce((longest, lead) => (lead.length > longest.length ? lead : longest), '')
}
