import { userInfo } from 'node:os'
import { CountersignError, safeText } from '@countersign/core'
import { approverKeyState, type Home, type LocalApprover, loadApprover, openApprover } from '@countersign/node'

/** This account's approver key, before it is opened. */
export interface LocalKey {
  /** It opens only with its passphrase. */
  readonly sealed: boolean
  /** Opens it for one decision. CS_PASSPHRASE when it is sealed and this is not its passphrase. */
  open(passphrase?: string): LocalApprover
}

/** This account's approver key. The first use makes it, and says once what it is worth. */
export function localKey(home: Home, tell: (line: string) => void): LocalKey {
  const state = approverKeyState(home)
  if (state === 'absent') make(home, tell)
  return {
    sealed: state === 'sealed',
    open(passphrase) {
      const found = loadApprover(home, passphrase === undefined ? {} : { passphrase })
      if (found !== undefined) return found
      throw new CountersignError(
        'CS_KEY',
        'the approver key was moved away meanwhile; decide again to create a new one',
      )
    },
  }
}

/** A key that is open already. */
export function openedKey(approver: LocalApprover): LocalKey {
  return { sealed: false, open: () => approver }
}

function make(home: Home, tell: (line: string) => void): void {
  const { approver } = openApprover(home, { name: accountName() })
  tell(`countersign: created an approver key for ${safeText(approver.name)} in ${safeText(home.keys)}`)
  tell('countersign: tier T1: any program running as you could use it; see SECURITY.md')
  tell('countersign: protect it with a passphrase: `countersign approvers seal`')
}

/** What the account is called. */
export function accountName(): string {
  try {
    return userInfo().username || 'local'
  } catch {
    return 'local' // an account without a name, as in some containers
  }
}
