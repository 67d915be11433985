import { randomBytes, randomInt, scryptSync } from 'node:crypto'
import { CountersignError } from '@countersign/core'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 16
const CODES = 8
/** The cost of one guess: 16 MiB and some 40 ms, on top of 79 random bits. */
const SCRYPT = { N: 2 ** 14, r: 8, p: 1 }
const MOST_WRONG = 5
const WAIT_MS = 900_000
const MAX_BYTES = 8_192

/** The recovery codes of the local key, as hashes. */
interface Codes {
  readonly version: 1
  /** The key that a code replaces. */
  readonly approver: string
  readonly salt: string
  /** The hash of each code; null once it is used. */
  readonly hashes: readonly (string | null)[]
  readonly wrong: number
  readonly wrongAt: number
  /** A recovery that has begun: the new key, and the hash of the code that was used for it. */
  readonly pending: Pending | null
}

interface Pending {
  readonly key: string
  readonly hash: string
}

/** A recovery that may go on: which key is replaced by which. */
export interface BegunRecovery {
  readonly replaces: string
  readonly key: string
  /** Codes that are still unused. */
  readonly left: number
}

/** The answer to a code: the recovery it begins or resumes, or why it is refused. */
export type RecoveryAnswer =
  | { readonly kind: 'begun'; readonly recovery: BegunRecovery }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'none' }

/** Makes new recovery codes for a key; earlier codes no longer work. SECURITY: A2 show them only on a terminal. */
export function makeRecoveryCodes(home: Home, approver: string): readonly string[] {
  const codes = Array.from({ length: CODES }, newCode)
  const salt = randomBytes(16).toString('base64')
  const hashes = codes.map((code) => hashOf(code, salt))
  withHomeLock(home, () => write(home, { version: 1, approver, salt, hashes, wrong: 0, wrongAt: 0, pending: null }))
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

/** How many codes are unused; undefined if none were ever made. */
export function recoveryCodesLeft(home: Home): number | undefined {
  const codes = read(home)
  return codes === undefined ? undefined : unused(codes)
}

/**
 * Tries a code. A right one is used up for the key that `makeKey` stores; if the process dies after that, the same code
 * resumes with that key. After five wrong attempts, one attempt every 15 minutes is left.
 */
export function useRecoveryCode(home: Home, given: string, now: number, makeKey: () => string): RecoveryAnswer {
  const first = read(home)
  if (first === undefined) return { kind: 'none' }
  const typed = given.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const hash = waitOf(first, now) === undefined ? hashOf(typed.slice(0, LENGTH + 1), first.salt) : ''
  return withHomeLock(home, () => {
    const codes = read(home)
    if (codes === undefined) return { kind: 'none' }
    const wait = waitOf(codes, now)
    if (wait !== undefined || hash === '') {
      // A clock that was set back must not lock the person out for longer than one wait.
      if (codes.wrongAt > now) write(home, { ...codes, wrongAt: now })
      return { kind: 'wait', until: wait ?? now + WAIT_MS }
    }
    const { pending } = codes
    const isResumed = pending !== null && pending.hash === hash
    if (isResumed) return begun(codes, pending.key)
    if (!codes.hashes.includes(hash) || codes.salt !== first.salt) {
      const wrong = Math.min(codes.wrong + 1, MOST_WRONG)
      write(home, { ...codes, wrong, wrongAt: now })
      return { kind: 'wrong', left: MOST_WRONG - wrong }
    }
    const key = pending?.key ?? makeKey()
    const hashes = pending === null ? codes.hashes.map((one) => (one === hash ? null : one)) : codes.hashes
    const next = { ...codes, hashes, wrong: 0, pending: pending ?? { key, hash } }
    write(home, next)
    return begun(next, key)
  })
}

/** Ends a recovery whose key is in place. The caller has the home's lock. */
export function endRecovery(home: Home, key: string): void {
  const codes = read(home)
  if (codes?.pending?.key === key) write(home, { ...codes, approver: key, pending: null })
}

function begun(codes: Codes, key: string): RecoveryAnswer {
  return { kind: 'begun', recovery: { replaces: codes.approver, key, left: unused(codes) } }
}

function waitOf({ wrong, wrongAt }: Codes, now: number): number | undefined {
  const until = Math.min(wrongAt, now) + WAIT_MS
  return wrong >= MOST_WRONG && (now < until || wrongAt > now) ? until : undefined
}

function unused({ hashes }: Codes): number {
  return hashes.filter((hash) => hash !== null).length
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

function hashOf(code: string, salt: string): string {
  return scryptSync(`countersign/recovery/v1\n${code}`, Buffer.from(salt, 'base64'), 32, SCRYPT).toString('base64')
}

function write(home: Home, codes: Codes): void {
  replaceOwnFile(home.recovery, `${JSON.stringify(codes)}\n`)
}

function read(home: Home): Codes | undefined {
  const text = readOwnFile(home.recovery, MAX_BYTES, 'CS_APPROVERS')
  if (text === undefined) return undefined
  try {
    const codes = JSON.parse(text) as Codes
    if (isWhole(codes)) return codes
  } catch {
    // Falls through: invalid JSON is the same damage as a missing field.
  }
  throw new CountersignError('CS_APPROVERS', `\`${home.recovery}\` is damaged; restore it from a backup`)
}

function isWhole({ version, approver, salt, hashes, wrong, wrongAt, pending }: Codes): boolean {
  const isPending = pending === null || (typeof pending.key === 'string' && typeof pending.hash === 'string')
  return (
    version === 1 &&
    typeof approver === 'string' &&
    typeof salt === 'string' &&
    Array.isArray(hashes) &&
    hashes.every((hash) => hash === null || typeof hash === 'string') &&
    Number.isSafeInteger(wrong) &&
    Number.isSafeInteger(wrongAt) &&
    isPending
  )
}
