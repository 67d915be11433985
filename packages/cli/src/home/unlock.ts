import { readSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import type { LocalApprover } from '@countersign/node'
import { TRIES } from '@countersign/terminal/card'
import { wholeNumber } from '../arguments/flag-values.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { askHidden } from '../terminal/hidden-input.ts'
import type { LocalKey } from './approver-key.ts'

/** Sources of a passphrase. */
export interface UnlockFrom {
  readonly terminal: Terminal | null
  /** The value of `--passphrase-fd`. */
  readonly fd?: string | undefined
  /** Appended to errors, such as `the call is still held`. */
  readonly otherwise: string
}

/** An unlocked key, with its passphrase if it has one. */
export interface Unlocked {
  readonly approver: LocalApprover
  readonly passphrase?: string
}

/**
 * Unlocks the local key. A sealed key asks for its passphrase: three tries on the terminal, one with a file descriptor.
 * INVARIANT: L3 without it nothing is signed.
 */
export async function unlock(key: LocalKey, from: UnlockFrom): Promise<LocalApprover> {
  return (await unlockWith(key, from)).approver
}

/** Like `unlock`, also returning the passphrase. */
export async function unlockWith(key: LocalKey, { terminal, fd, otherwise }: UnlockFrom): Promise<Unlocked> {
  await key.recorded
  if (!key.sealed) return { approver: key.open() }
  if (fd !== undefined) {
    const passphrase = readPassphrase(passphraseFd(fd))
    return { approver: key.open(passphrase), passphrase }
  }
  if (terminal === null)
    throw new CountersignError(
      'CS_PASSPHRASE',
      `your key needs its passphrase, and there is no terminal to ask on; use a terminal or \`--passphrase-fd\`: ${otherwise}`,
    )
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const opened = await askHidden(terminal, 'passphrase of your key (not shown): ', (typed) => attempt(key, typed))
    if (opened === null) throw new CountersignError('CS_PASSPHRASE', `no passphrase entered; ${otherwise}`)
    if (opened !== undefined) return opened
    if (tries < TRIES) terminal.write('wrong passphrase; try again, or press Esc to cancel\n')
  }
  throw new CountersignError('CS_PASSPHRASE', `wrong passphrase, ${TRIES} times; ${otherwise}`)
}

function attempt(key: LocalKey, passphrase: string): Unlocked | undefined {
  try {
    return { approver: key.open(passphrase), passphrase }
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_PASSPHRASE') return undefined
    throw error
  }
}

/** Maximum size of a passphrase in bytes. */
export const LONGEST_PASSPHRASE = 1_024

const MOST_FD = 1_048_575

/** Reads the value of `--passphrase-fd`. */
export function passphraseFd(text: string): number {
  return text === '0' ? 0 : wholeNumber('--passphrase-fd', text, MOST_FD)
}

/** Reads a passphrase. */
export function readPassphrase(fd: number): string {
  return readLine(fd, '--passphrase-fd')
}

/**
 * Reads one line from a file descriptor, byte by byte, so that the following lines stay unread. SECURITY: arguments and
 * the environment would expose a secret to every process of this account.
 */
export function readLine(fd: number, flag: string): string {
  const bytes: number[] = []
  const one = Buffer.alloc(1)
  while (bytes.length <= LONGEST_PASSPHRASE) {
    if (readByte(fd, one) === 0 || one[0] === 0x0a) return checked(bytes, flag)
    bytes.push(one[0] ?? 0)
  }
  throw new CountersignError(
    'CS_PASSPHRASE',
    `the line for \`${flag}\` is longer than ${LONGEST_PASSPHRASE} bytes; use a shorter one`,
  )
}

function checked(bytes: readonly number[], flag: string): string {
  if (bytes.length > 0) return Buffer.from(bytes).toString('utf8')
  throw new CountersignError('CS_PASSPHRASE', `\`${flag}\` has nothing to read; write one line to it`)
}

function readByte(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into, 0, 1, null)
  } catch (error) {
    throw new CountersignError(
      'CS_USAGE',
      `can’t read file descriptor ${fd}; connect it, for example with \`${fd}< <(pass show …)\``,
      {
        cause: error,
      },
    )
  }
}
