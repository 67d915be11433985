import { realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { accountHome } from './account.ts'
import { systemCode } from './own-file.ts'

/** The real path of the folder a session works in. Never one that holds the account's whole home, and never the root. */
export function openWorkspace(dir: string): string {
  const real = realPath(dir)
  if (!statSync(real).isDirectory())
    throw new CountersignError('CS_WORKSPACE', `\`${dir}\` is not a folder; name the project's folder`)
  if (real === sep)
    throw new CountersignError('CS_WORKSPACE', 'the workspace may not be `/`; go into a project’s folder')
  const home = accountHome()
  if (home !== undefined && `${realOrSame(home)}${sep}`.startsWith(`${real}${sep}`))
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
