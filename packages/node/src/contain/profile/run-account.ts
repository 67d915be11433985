import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The account that a contained command runs as; null for this process's own. */
export type RunAccount = { readonly uid: number; readonly gid: number } | null

/** Root runs a command as the owner of the workspace where that account can reach it, and as itself otherwise. */
export function runAccount(workspace: string, uid = process.getuid?.()): RunAccount {
  if (uid !== 0) return null
  const owner = statSync(workspace)
  const account = { uid: owner.uid, gid: owner.gid }
  return owner.uid !== 0 && canEnter(workspace, account) ? account : null
}

/** Whether an account may enter the folders above a path. */
export function canEnter(path: string, account: RunAccount): boolean {
  if (account === null) return true
  for (let at = dirname(path); ; at = dirname(at)) {
    const { uid, gid, mode } = statSync(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}
