import type { BackupTarget } from '../ports/backups.ts'
import { isHarmlessDevice } from '../risk/path/category.ts'
import { folderOf } from '../risk/path/paths-to-resolve.ts'
import type { PathUse } from '../risk/report/report.ts'
import type { CheckInput } from './checker.ts'

/** What a call changes or takes away, as far as it can be told. */
export interface Changed {
  readonly known: readonly BackupTarget[]
  /** As the call spells it: globs, variables, paths that could not be resolved. */
  readonly unknown: readonly string[]
}

/** The files and folders that a call writes, deletes or moves away: by its arguments, and by every part of a command. */
export function changedTargets({ call, risk, places }: Pick<CheckInput, 'call' | 'risk' | 'places'>): Changed {
  const known = new Map<string, BackupTarget>()
  const unknown = new Set<string>()
  const add = (path: PathUse, cwd: string | null): void => {
    if (path.use !== 'write' && path.use !== 'delete') return
    if (path.real === null) {
      if (!isHarmlessDevice(path.given)) unknown.add(path.given)
      return
    }
    if (isHarmlessDevice(path.real) || isHarmlessDevice(path.given)) return
    const entry = cwd === null ? null : { given: path.given, cwd }
    // By name, not by where it leads: two links to one file are two things to lose.
    known.set([path.use, path.real, path.given, cwd].join('\0'), { real: path.real, use: path.use, entry })
  }
  const inParts = new Set<PathUse>()
  for (const { command, paths } of risk.parts) {
    const cwd = command.cwd === null ? null : folderOf(command.cwd, call.cwd, places.home)
    for (const path of paths) {
      inParts.add(path)
      add(path, cwd)
    }
  }
  for (const path of risk.paths) if (!inParts.has(path)) add(path, call.cwd)
  return { known: [...known.values()], unknown: [...unknown] }
}
