import { join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { accountHome, openOwnFolder, openWorkspace } from '@countersign/node'

/**
 * The workspace of a server. Desktop clients start theirs in `/` or in the home, which no workspace may be: an empty
 * folder then stands for it, so that nothing counts as inside. A folder that was named is taken, or refused.
 */
export function serverWorkspace(named: string | undefined, cwd: string): string {
  if (named !== undefined) return openWorkspace(named)
  try {
    return openWorkspace(cwd)
  } catch (error) {
    const home = accountHome()
    if (!(error instanceof CountersignError) || error.code !== 'CS_WORKSPACE' || home === undefined) throw error
    const empty = join(home, '.cache', 'countersign', 'no-workspace')
    openOwnFolder(empty, 'CS_WORKSPACE')
    return openWorkspace(empty)
  }
}
