import { userInfo } from 'node:os'
import { CountersignError, safeText } from '@countersign/core'
import { approverKeyState, type Home, type LocalApprover, loadApprover, openApprover } from '@countersign/node'

/** The local approver key, still locked. */
export interface LocalKey {
  /** Protected by a passphrase. */
  readonly sealed: boolean
  /** Unlocks the key for one decision. Throws CS_PASSPHRASE if the passphrase is missing or wrong. */
  open(passphrase?: string): LocalApprover
}

/** The local approver key. Created on first use, with a note about its trust tier. */
export function localKey(home: Home, tell: (line: string) => void): LocalKey {
  const state = approverKeyState(home)
  if (state === 'absent') make(home, tell)
  return {
    sealed: state === 'sealed',
    open(passphrase) {
      const found = loadApprover(home, passphrase === undefined ? {} : { passphrase })
      if (found !== undefined) return found
      throw new CountersignError('CS_KEY', 'the approver key has been moved away; decide again to create a new one')
    },
  }
}

/** A key that is already unlocked. */
export function openedKey(approver: LocalApprover): LocalKey {
  return { sealed: false, open: () => approver }
}

function make(home: Home, tell: (line: string) => void): void {
  const { approver } = openApprover(home, { name: accountName() })
  tell(`countersign: created an approver key for ${safeText(approver.name)} in ${safeText(home.keys)}`)
  tell('countersign: tier T1: any program running as you could use it; see SECURITY.md')
  tell('countersign: protect it with a passphrase: `countersign approvers seal`')
}

/** The name of the account. */
export function accountName(): string {
  try {
    return userInfo().username || 'local'
  } catch {
    return 'local' // an account without a name, as in some containers
  }
}
