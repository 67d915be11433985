import { hash, randomInt } from 'node:crypto'
import { CountersignError } from '@countersign/core'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10
const LIVES_MS = 600_000
const MOST_WRONG = 5
const MAX_BYTES = 1_024

interface Waiting {
  readonly hash: string
  readonly expiresAt: number
  readonly wrong: number
}

/**
 * Makes a code that enrols one key within ten minutes. Only its hash is stored. Earlier codes become invalid.
 * SECURITY: A2 show it only on a terminal.
 */
export function makeEnrolmentCode(home: Home, now: number): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  withHomeLock(home, () => write(home, { hash: hashOf(code), expiresAt: now + LIVES_MS, wrong: 0 }))
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** Uses the code, once. Throws CS_SIGN_IN when it is wrong, expired or used; five wrong attempts make it invalid. */
export function spendEnrolmentCode(home: Home, given: string, now: number): void {
  const isRight = withHomeLock(home, () => {
    const waiting = read(home)
    if (waiting === undefined || waiting.expiresAt <= now || waiting.wrong >= MOST_WRONG) return false
    const right = hashOf(given.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) === waiting.hash
    write(home, { ...waiting, ...(right ? { expiresAt: 0 } : { wrong: waiting.wrong + 1 }) })
    return right
  })
  if (!isRight)
    throw new CountersignError(
      'CS_SIGN_IN',
      'the enrollment code is wrong, expired or used; run `countersign approvers add` for a new one',
    )
}

function hashOf(code: string): string {
  return hash('sha256', `countersign/enrolment/v1\n${code}`, 'hex')
}

function write(home: Home, waiting: Waiting): void {
  replaceOwnFile(home.enrolment, `${JSON.stringify(waiting)}\n`)
}

/** An invalid file lets nobody in. */
function read(home: Home): Waiting | undefined {
  const text = readOwnFile(home.enrolment, MAX_BYTES, 'CS_APPROVERS')
  if (text === undefined) return undefined
  try {
    const { hash, expiresAt, wrong } = JSON.parse(text) as Waiting
    const isWhole = typeof hash === 'string' && Number.isSafeInteger(expiresAt) && Number.isSafeInteger(wrong)
    return isWhole ? { hash, expiresAt, wrong } : undefined
  } catch {
    return undefined
  }
}
