import { realpathSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'
import { accountHome } from '../system/os-account.ts'

/** Accounts of services have their homes among the system's folders; what is below this account's own is its own. */
const SERVICES = '/var/lib/'

/**
 * The real path of the folder a session works in. SECURITY: A3 an asker names it, and inside it edits may run unasked: it
 * is never the root, never a folder of the system's, and never one that holds a whole home.
 */
export function openWorkspace(dir: string): string {
  // What these lead to depends on who looks.
  if (/^\/(?:proc|dev)\//.test(resolve(dir)))
    throw new CountersignError('CS_WORKSPACE', `\`${dir}\` is not a folder of its own; name the project's folder`)
  const real = realPath(dir)
  if (!statSync(real).isDirectory())
    throw new CountersignError('CS_WORKSPACE', `\`${dir}\` is not a folder; name the project's folder`)
  if (real === sep) throw new CountersignError('CS_WORKSPACE', 'the workspace can’t be `/`; use a project folder')
  const account = accountHome()
  const home = account === undefined ? undefined : realOrSame(account)
  if (isSystemFolder(real) && !(home?.startsWith(SERVICES) && real.startsWith(`${home}${sep}`)))
    throw new CountersignError(
      'CS_WORKSPACE',
      `the workspace \`${real}\` is a system folder or a whole home; use a project folder`,
    )
  if (home !== undefined && `${home}${sep}`.startsWith(`${real}${sep}`))
    throw new CountersignError(
      'CS_WORKSPACE',
      `the workspace \`${real}\` contains your home folder; use a project folder`,
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

/** What of a folder may be a workspace: nothing in it; what is below it, not itself; itself and what is below. */
type Room = 'nothing' | 'below' | 'all'

/**
 * Folders that are the system's, or hold what is, by their real paths; `*` is any one name. The deepest that fits
 * answers, so that a line can open a part of another's folder. What fits none may be a workspace.
 */
const FOLDERS: readonly (readonly [string, Room])[] = [
  ['/', 'below'],
  // Programs, libraries and settings. Images of containers keep their application in the parts that are open.
  ['/bin', 'nothing'],
  ['/sbin', 'nothing'],
  ['/lib', 'nothing'],
  ['/lib32', 'nothing'],
  ['/lib64', 'nothing'],
  ['/libx32', 'nothing'],
  ['/etc', 'nothing'],
  ['/usr', 'nothing'],
  ['/usr/app', 'all'],
  ['/usr/src', 'below'],
  ['/usr/local/src', 'below'],
  ['/opt', 'below'],
  ['/opt/bin', 'nothing'],
  ['/opt/sbin', 'nothing'],
  ['/opt/homebrew', 'nothing'],
  ['/opt/local', 'nothing'],
  ['/nix', 'nothing'],
  ['/gnu', 'nothing'],
  ['/snap', 'nothing'],
  // The machine itself.
  ['/boot', 'nothing'],
  ['/efi', 'nothing'],
  ['/dev', 'nothing'],
  ['/proc', 'nothing'],
  ['/sys', 'nothing'],
  ['/sysroot', 'nothing'],
  ['/ostree', 'nothing'],
  ['/run', 'nothing'],
  ['/run/media/*', 'below'],
  // State of services. Some systems keep homes and sites there, and build servers their work.
  ['/var', 'nothing'],
  ['/var/tmp', 'below'],
  ['/var/www', 'all'],
  ['/var/srv', 'all'],
  ['/var/opt', 'below'],
  ['/var/mnt', 'below'],
  ['/var/home/*', 'below'],
  ['/var/roothome', 'below'],
  ['/var/jenkins_home', 'below'],
  ['/var/lib/jenkins', 'below'],
  ['/var/lib/buildkite-agent', 'below'],
  ['/var/lib/gitlab-runner', 'below'],
  // Homes, and what disks hang on.
  ['/root', 'below'],
  ['/home', 'below'],
  ['/home/*', 'below'],
  ['/mnt', 'below'],
  ['/media', 'below'],
  // Windows, seen from WSL.
  ['/mnt/c', 'below'],
  ['/mnt/c/Windows', 'nothing'],
  ['/mnt/c/Program Files', 'nothing'],
  ['/mnt/c/Program Files (x86)', 'nothing'],
  ['/mnt/c/ProgramData', 'nothing'],
  ['/mnt/c/Users', 'below'],
  ['/mnt/c/Users/*', 'below'],
  // macOS.
  ['/System', 'nothing'],
  ['/Library', 'nothing'],
  ['/Applications', 'nothing'],
  ['/cores', 'nothing'],
  ['/Volumes', 'below'],
  ['/Users', 'below'],
  ['/Users/*', 'below'],
  ['/private', 'nothing'],
  ['/private/tmp', 'all'],
  ['/private/var/tmp', 'below'],
  ['/private/var/folders/*/*', 'below'],
]

const ROWS = FOLDERS.map(([path, room]) => ({ names: namesOf(path), room })).sort(
  (a, b) => b.names.length - a.names.length,
)

/** Whether a folder, by its real path, is the system's, so that writing there is nobody's everyday editing. */
export function isSystemFolder(path: string): boolean {
  const names = namesOf(path)
  const row = ROWS.find((one) =>
    one.names.every((name, at) => names[at] === name || (name === '*' && at < names.length)),
  )
  if (row === undefined || row.room === 'all') return false
  return row.room === 'nothing' || row.names.length === names.length
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '')
}
