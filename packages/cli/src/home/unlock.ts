import { CountersignError } from '@countersign/core'
import type { LocalApprover } from '@countersign/node'
import { TRIES } from '@countersign/terminal/card'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { askHidden } from '../terminal/hidden-input.ts'
import type { LocalKey } from './approver-key.ts'
import { passphraseFd, readPassphrase } from './passphrase.ts'

/** Where a passphrase may come from, and what stays as it is without one. */
export interface UnlockFrom {
  readonly terminal: Terminal | null
  /** The text of `--passphrase-fd`. */
  readonly fd?: string | undefined
  /** What is true when it does not open, such as `the call is still held`. */
  readonly otherwise: string
}

/** An open key, with the passphrase that opened it where it has one. */
export interface Unlocked {
  readonly approver: LocalApprover
  readonly passphrase?: string
}

/**
 * Opens the local key, asking for its passphrase where it is sealed: three times on the terminal, once by a descriptor.
 * INVARIANT: L3, without it nothing is signed.
 */
export async function unlock(key: LocalKey, from: UnlockFrom): Promise<LocalApprover> {
  return (await unlockWith(key, from)).approver
}

/** The same, with the passphrase that opened it. */
export async function unlockWith(key: LocalKey, { terminal, fd, otherwise }: UnlockFrom): Promise<Unlocked> {
  if (!key.sealed) return { approver: key.open() }
  if (fd !== undefined) {
    const passphrase = readPassphrase(passphraseFd(fd))
    return { approver: key.open(passphrase), passphrase }
  }
  if (terminal === null)
    throw new CountersignError(
      'CS_PASSPHRASE',
      `your key is sealed and there is no terminal to ask for its passphrase; use one, or \`--passphrase-fd\`: ${otherwise}`,
    )
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const opened = await askHidden(terminal, 'passphrase of your key (not shown): ', (typed) => attempt(key, typed))
    if (opened === null) throw new CountersignError('CS_PASSPHRASE', `no passphrase was given; ${otherwise}`)
    if (opened !== undefined) return opened
    if (tries < TRIES) terminal.write('that is not it; try again, or Esc to leave\n')
  }
  throw new CountersignError('CS_PASSPHRASE', `not the passphrase, ${TRIES} times; ${otherwise}`)
}

function attempt(key: LocalKey, passphrase: string): Unlocked | undefined {
  try {
    return { approver: key.open(passphrase), passphrase }
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_PASSPHRASE') return undefined
    throw error
  }
}
