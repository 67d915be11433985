import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { CountersignError } from '@countersign/core'
import { realPath } from '../files/real-path.ts'

/** Finds programs by their names as a shell would: the absolute real path, or undefined when there is none. */
export function programFinder(searchPath: readonly string[]): (name: string, cwd: string) => string | undefined {
  return (name, cwd) => {
    if (name === '' || name.includes('\0')) return undefined
    if (name.includes('/')) return executableAt(realPath(name, cwd), cwd)
    for (const folder of searchPath) {
      // An empty entry, like a relative one, is searched from the working folder.
      const found = executableAt(isAbsolute(folder) ? `${folder}/${name}` : `${cwd}/${folder}/${name}`, cwd)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The real path of what is at `path`, if it can be run. */
function executableAt(path: string, cwd: string): string | undefined {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
    accessSync(path, constants.X_OK)
    return realPath(path, cwd)
  } catch (error) {
    if (error instanceof CountersignError) throw error
    return undefined
  }
}
