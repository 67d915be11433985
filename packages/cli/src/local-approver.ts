import { userInfo } from 'node:os'
import { safeText } from '@countersign/core'
import { type Home, type LocalApprover, loadApprover, openApprover } from '@countersign/node'

/** This account's approver key. The first use makes it, and says once what it is worth. */
export function localApprover(home: Home, tell: (line: string) => void): LocalApprover {
  const found = loadApprover(home)
  if (found !== undefined) return found
  const made = openApprover(home, { name: accountName() })
  tell(`countersign: made an approver key for ${safeText(made.approver.name)} in ${safeText(home.keys)}`)
  tell('countersign: tier T1: anything that runs as you could use it; see SECURITY.md')
  return made
}

function accountName(): string {
  try {
    return userInfo().username || 'local'
  } catch {
    return 'local' // an account without a name, as in some containers
  }
}
