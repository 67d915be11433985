import { accessSync, type BigIntStats, constants } from 'node:fs'
import { dirname } from 'node:path'
import { type CheckAnswer, type Checker, CountersignError, type RiskReport } from '@countersign/core'
import { deepestExisting, lookAt } from '../backups/file-tree.ts'
import { systemCode } from '../files/private-file.ts'
import { accountId } from '../system/os-account.ts'

type PathUse = RiskReport['paths'][number]

const { R_OK, W_OK, X_OK } = constants
const STICKY = 0o1000n

/** Describes the permission that is missing for one path; null when none is. */
type Lack = string | null

/** Checks that this account may change the call's files and their folders. */
export function permissionsChecker(access: (path: string, mode: number) => void = accessSync): Checker {
  const may = (path: string, mode: number): boolean => {
    try {
      access(path, mode)
      return true
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      return false
    }
  }
  return {
    name: 'permissions',
    check({ risk }): CheckAnswer {
      const paths = risk.paths.filter((path): path is PathUse & { real: string } => path.real !== null)
      if (paths.length === 0) return { status: 'skip', message: 'it does not name a file' }
      const lacking = paths.flatMap((path) => lackSeen(path.real, path.use, may) ?? [])
      if (lacking.length === 0) return { status: 'pass', message: 'this account has permission' }
      return {
        status: 'fail',
        message: lacking[0] ?? '',
        details: lacking.slice(0, 10),
        suggestion: 'check its owner and mode',
        overridable: true,
      }
    },
  }
}

/** What cannot even be looked at may not be used either. */
function lackSeen(path: string, use: PathUse['use'], may: (path: string, mode: number) => boolean): Lack {
  try {
    return lackOf(path, use, may)
  } catch (error) {
    if (error instanceof CountersignError) return error.message
    throw error
  }
}

function lackOf(path: string, use: PathUse['use'], may: (path: string, mode: number) => boolean): Lack {
  const found = lookAt(path)
  switch (use) {
    case 'read':
      if (found === undefined) return null // the tool reports a missing file itself
      return may(path, found.isDirectory() ? R_OK | X_OK : R_OK) ? null : `this account can’t read \`${path}\``
    case 'execute':
      return found === undefined || may(path, X_OK) ? null : `this account can’t run \`${path}\``
    case 'write':
      return lackToWrite(path, found, may)
    case 'delete':
      return found === undefined ? null : lackToDelete(path, found, may)
  }
}

function lackToWrite(path: string, found: BigIntStats | undefined, may: (path: string, mode: number) => boolean): Lack {
  if (found !== undefined)
    return may(path, found.isDirectory() ? W_OK | X_OK : W_OK) ? null : `this account can’t write \`${path}\``
  const folder = deepestExisting(dirname(path))
  if (lookAt(folder)?.isDirectory() === false) return `\`${folder}\` is not a folder, so \`${path}\` can’t be created`
  return may(folder, W_OK | X_OK) ? null : `this account can’t create files in \`${folder}\``
}

/** Deleting is a change of the folder; where everybody may write, only the owner may. */
function lackToDelete(path: string, found: BigIntStats, may: (path: string, mode: number) => boolean): Lack {
  const folder = dirname(path)
  if (!may(folder, W_OK | X_OK)) return `this account can’t delete files from \`${folder}\``
  const above = lookAt(folder)
  const account = BigInt(accountId())
  const isOthers = above !== undefined && (above.mode & STICKY) !== 0n && account !== 0n
  if (isOthers && found.uid !== account && above.uid !== account) return `\`${path}\` belongs to another user`
  if (found.isDirectory() && !may(path, W_OK | X_OK)) return `this account can’t delete the contents of \`${path}\``
  return null
}
