import type { Run } from './assigned-value.ts'
import { type Codes, codesOf } from './character-codes.ts'
import { commandPassword, mayBeProgram } from './command-passwords.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { isExampleToken, mayLead, tokenAt } from './find-tokens.ts'
import { findLogins } from './find-url-credentials.ts'
import { mayBeNamed, namedSecret } from './named-secret.ts'
import { type SecretSpan, withoutOverlaps } from './span.ts'
import { mayHaveShape, shapeAt } from './token-shapes.ts'

/** Letters, digits and `_`: what words are made of. As large as every character, so that no look needs a bound. */
const WORD = new Uint8Array(65_536)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_') WORD[letter.charCodeAt(0)] = 1

const BACKSLASH = 92
const PERCENT = 37

/**
 * Every secret that stands in a text, with its kind and place, in order and without overlaps: tokens of known issuers,
 * private keys, logins in addresses, and values under a secret’s name. Placeholders, references, labels, checksums and
 * identifiers are none. One pass over the words; linear in the text.
 */
export function scanText(text: string): readonly SecretSpan[] {
  const found: SecretSpan[] = []
  const run = { from: -1, to: -1, reads: 0 }
  const codes = codesOf(text)
  const length = codes.length
  let before = 0
  for (let at = 0; at < length; ) {
    const code = codes[at] ?? 0
    if (WORD[code] !== 1) {
      before = code
      at += 1
      continue
    }
    let end = at + 1
    while (end < length && WORD[codes[end] ?? 0] === 1) end += 1
    if (end - at > 1 || end < length) {
      const start = before === BACKSLASH || before === PERCENT ? wordStart(text, at, end, before) : at
      end = visitWord(text, codes, start, end, run, found)
    }
    before = 0
    at = end
  }
  findPrivateKeys(text, found)
  findLogins(text, found)
  return withoutOverlaps(found)
}

/** Records what a word begins, runs or names; gives where to go on. */
function visitWord(text: string, codes: Codes, start: number, end: number, run: Run, found: SecretSpan[]): number {
  const after = codes[end] ?? 0
  const token =
    (mayLead(codes, start) ? tokenAt(text, start) : undefined) ??
    (mayHaveShape(after, end - start) ? shapeAt(text, start, end) : undefined)
  if (token !== undefined) {
    if (!isExampleToken(token, text.slice(token.start, token.end))) found.push(token)
    return Math.max(token.end, end)
  }
  if (after <= 32 && mayBeProgram(codes, start, end)) {
    const password = commandPassword(text, start, end)
    if (password !== undefined) found.push(password)
  }
  if (mayBeNamed(codes, start, end)) {
    const named = namedSecret(text, codes, start, end, run)
    if (named !== undefined) found.push(named)
  }
  return end
}

/** Where a word begins that follows an escape: `\nghp_…` in JSON, `%20ghp_…` in an address. */
function wordStart(text: string, at: number, end: number, before: number): number {
  if (before === BACKSLASH) return end - at > 3 && 'nrtbf'.includes(text.charAt(at)) ? at + 1 : at
  return end - at > 5 && /^[0-9A-F]{2}/i.test(text.slice(at, at + 2)) ? at + 2 : at
}
