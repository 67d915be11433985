import { realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'
import { accountHome } from '../system/os-account.ts'
import { isSystemFolder } from './system-folders.ts'

/** Accounts of services have their homes among the system's folders; what is below this account's own is its own. */
const SERVICES = '/var/lib/'

/**
 * The real path of the folder a session works in. SECURITY: A3 an asker names it, and inside it edits may run unasked: it
 * is never the root, never a folder of the system's, and never one that holds a whole home.
 */
export function openWorkspace(dir: string): string {
  const real = realPath(dir)
  if (!statSync(real).isDirectory())
    throw new CountersignError('CS_WORKSPACE', `\`${dir}\` is not a folder; name the project's folder`)
  if (real === sep)
    throw new CountersignError('CS_WORKSPACE', 'the workspace may not be `/`; go into a project’s folder')
  const account = accountHome()
  const home = account === undefined ? undefined : realOrSame(account)
  if (isSystemFolder(real) && !(home?.startsWith(SERVICES) && real.startsWith(`${home}${sep}`)))
    throw new CountersignError(
      'CS_WORKSPACE',
      `the workspace \`${real}\` is the system’s, or a whole home; go into a project’s folder`,
    )
  if (home !== undefined && `${home}${sep}`.startsWith(`${real}${sep}`))
    throw new CountersignError(
      'CS_WORKSPACE',
      `the workspace \`${real}\` holds your whole home; go into a project’s folder`,
    )
  return real
}

function realPath(dir: string): string {
  try {
    return realpathSync.native(dir)
  } catch (error) {
    throw new CountersignError(
      'CS_WORKSPACE',
      `\`${dir}\` cannot be used (${systemCode(error)}); name an existing folder`,
      {
        cause: error,
      },
    )
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
