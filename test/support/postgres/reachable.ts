import { cpSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * The folder of the server's programs, where another account can run them: copied if the checkout is in a folder that only
 * root may enter.
 */
export function reachablePrograms(programs: string, copyTo: string): string {
  if (isOpenToAll(programs)) return programs
  const copy = join(copyTo, 'programs')
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  return join(copy, basename(programs))
}

function isOpenToAll(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (dirname(folder) === folder || isOpenToAll(dirname(folder)))
}
