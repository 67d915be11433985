import type { BackupTarget } from '../ports/backups.ts'
import { isHarmlessDevice, placeOf } from '../risk/path/category.ts'
import { folderOf } from '../risk/path/paths-to-resolve.ts'
import type { PathUse } from '../risk/report/report.ts'
import type { CheckInput } from './checker.ts'

/** What a call changes or takes away, as far as it can be told. */
export interface Changed {
  readonly known: readonly BackupTarget[]
  /** As the call spells it: globs, variables, paths that could not be resolved. */
  readonly unknown: readonly string[]
}

/**
 * The files and folders that a call writes, deletes or moves away: by its arguments, and by every part of a command, also
 * those in the scripts that it runs.
 */
export function changedTargets({ call, risk, places }: Pick<CheckInput, 'call' | 'risk' | 'places'>): Changed {
  const known = new Map<string, BackupTarget>()
  const unknown = new Set<string>()
  const add = (path: PathUse, cwd: string | null, into: readonly string[] = []): void => {
    if (path.use !== 'write' && path.use !== 'delete') return
    if (path.real === null) {
      if (!isHarmlessDevice(path.given)) unknown.add(path.given)
      return
    }
    if (isHarmlessDevice(path.real) || isHarmlessDevice(path.given)) return
    const entry = cwd === null ? null : { given: path.given, cwd }
    // By name, not by where it leads: two links to one file are two things to lose.
    const target = { real: path.real, use: path.use, entry, ...(into.length === 0 ? {} : { into }) }
    known.set([path.use, path.real, path.given, cwd, ...into].join('\0'), target)
  }
  const inParts = new Set<PathUse>()
  for (const { command, paths } of risk.parts) {
    const cwd = command.cwd === null ? null : folderOf(command.cwd, call.cwd, places.home)
    for (const path of paths) {
      inParts.add(path)
      // What a build script makes again is not worth a copy each time it runs.
      if (command.origin !== undefined && path.real !== null && placeOf(path.real, places) === 'regenerable') continue
      add(path, cwd, path.use === 'write' ? placedNames(command.program, paths) : [])
    }
  }
  for (const path of risk.paths) if (!inParts.has(path)) add(path, call.cwd)
  return { known: [...known.values()], unknown: [...unknown] }
}

/** Programs that put their sources into the folder named last, under the same names. */
const PLACING: ReadonlySet<string | null> = new Set(['mv', 'cp', 'install'])

/** The names under which `mv` and the like put their sources into a folder; empty if one of them is not certain. */
function placedNames(program: string | null, paths: readonly PathUse[]): readonly string[] {
  if (!PLACING.has(program)) return []
  const names = paths
    .filter(({ use }) => use !== 'write')
    .map(({ given, real }) => (real === null ? '' : nameOf(given)))
  return names.every((name) => name !== '' && name !== '.' && name !== '..' && name !== '~') ? names : []
}

function nameOf(given: string): string {
  const path = given.replace(/\/+$/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}
