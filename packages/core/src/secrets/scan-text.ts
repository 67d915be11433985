import type { Run } from './assigned-value.ts'
import { type Codes, codesOf } from './character-codes.ts'
import { commandPassword, mayBeProgram } from './command-passwords.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { isExampleToken, mayHaveShape, mayStartToken, shapeAt, tokenAt } from './find-tokens.ts'
import { findUrlCredentials } from './find-url-credentials.ts'
import { mayBeNamed, namedSecret } from './named-secret.ts'
import { isPlaceholder } from './placeholder.ts'
import { type SecretSpan, withoutOverlaps } from './span.ts'

/** Letters, digits and `_` make words. The table covers every UTF-16 unit, so that no lookup needs a bound. */
const WORD = new Uint8Array(65_536)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_') WORD[letter.charCodeAt(0)] = 1

const BACKSLASH = 92
const PERCENT = 37

/**
 * Every secret in a text, in order and without overlaps: tokens of known issuers, private keys, credentials in URLs, and
 * values with a secret's name. Placeholders, references, labels, checksums and identifiers do not count. One pass over the
 * words, linear in the length of the text.
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
  findUrlCredentials(text, found)
  return withoutOverlaps(found)
}

/** Records the secret that a word starts, runs or names; returns where to continue. */
function visitWord(text: string, codes: Codes, start: number, end: number, run: Run, found: SecretSpan[]): number {
  const after = codes[end] ?? 0
  const token =
    (mayStartToken(codes, start) ? tokenAt(text, start) : undefined) ??
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

/** The start of a word after an escape: `\nghp_…` in JSON, `%20ghp_…` in a URL. */
function wordStart(text: string, at: number, end: number, before: number): number {
  if (before === BACKSLASH) return end - at > 3 && 'nrtbf'.includes(text.charAt(at)) ? at + 1 : at
  return end - at > 5 && /^[0-9A-F]{2}/i.test(text.slice(at, at + 2)) ? at + 2 : at
}

/** Identifiers of AWS users, roles and groups, which grant nothing. */
const AWS_IDENTIFIER = /^A(?:GPA|IDA|ROA|IPA|NPA|NVA)[A-Z0-9]{16}$/

/** Our findings, and those of another scanner that are new and no placeholders. */
export function joinFound(
  text: string,
  own: readonly SecretSpan[],
  other: readonly SecretSpan[],
): readonly SecretSpan[] {
  const more = other
    .map((span) => valueIn(text, span))
    .filter((span) => {
      const value = text.slice(span.start, span.end)
      if (own.some((one) => one.start < span.end && span.start < one.end)) return false
      return !AWS_IDENTIFIER.test(value) && !isExampleToken(span, value) && !isPlaceholder(value)
    })
  return more.length === 0 ? own : withoutOverlaps([...own, ...more])
}

const NAMED = /^["']?[\w.-]{1,80}["']?\s{0,4}(?:=>|[=:])\s{0,4}["']?([^\s"']+)["']?$/

/** A scanner may report the name with the value: `AWS_SECRET_ACCESS_KEY=…`. */
function valueIn(text: string, span: SecretSpan): SecretSpan {
  const reported = text.slice(span.start, span.end)
  const value = NAMED.exec(reported)?.[1] ?? reported
  const start = span.start + reported.lastIndexOf(value)
  return { start, end: start + value.length, kind: span.kind }
}
