import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { CountersignError } from '@countersign/core'
import { realPath } from './real-path.ts'
import { isSameFile } from './same-file.ts'

/** A program as it was last looked at. */
interface Known {
  readonly stats: Stats
  readonly real: string
}

/** INVARIANT: L10. */
const MOST = 256

/** Finds programs by their names as a shell would: the absolute real path, or undefined when there is none. */
export function programFinder(searchPath: readonly string[]): (name: string, cwd: string) => string | undefined {
  const known = new Map<string, Known>()

  /** The real path of what is at `path`, if it can be run. */
  function executableAt(path: string, cwd: string): string | undefined {
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats?.isFile()) return undefined
      const last = known.get(path)
      // The same file, unchanged: so is whether it can be run. What put it elsewhere would have had to change it.
      if (last !== undefined && isSameFile(last.stats, stats)) return last.real
      accessSync(path, constants.X_OK)
      const real = realPath(path, cwd)
      if (known.size >= MOST) known.clear()
      known.set(path, { stats, real })
      return real
    } catch (error) {
      if (error instanceof CountersignError) throw error
      return undefined
    }
  }

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
