import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isThisMachine, readHostPattern, type SandboxException, type SandboxRefusal } from '@countersign/core'
import { isGrantable } from './profile/plan-run.ts'
import type { Plan } from './profile/profile.ts'
import { isWithin } from './profile/visible-files.ts'

/** The run that something was refused to. */
interface RefusedRun extends Pick<Plan, 'bounds' | 'workspace' | 'home' | 'gate'> {
  /** Paths that it could see but neither write nor rename. */
  readonly guarded: readonly string[]
}

/**
 * Adds the narrowest exception that would allow what was refused, if a person may be offered one. SECURITY: A15 the path
 * may come from the run's own output: folders that hold the workspace, the gate, credentials or settings are never offered.
 */
export function withException(refusal: SandboxRefusal, run: RefusedRun): SandboxRefusal {
  const exception = exceptionOf(refusal, run)
  return exception === undefined ? refusal : { ...refusal, exception }
}

function exceptionOf({ kind, what, certainty }: SandboxRefusal, run: RefusedRun): SandboxException | undefined {
  if (certainty === 'weak') return undefined
  if (kind === 'host') {
    const pattern = /[.:]/.test(what) ? readHostPattern(what) : null
    // The sandbox has a loopback of its own: no exception leads to servers of this machine.
    return pattern === null || isThisMachine(pattern.host) ? undefined : { use: 'network', name: what }
  }
  if ((kind !== 'write' && kind !== 'read') || !what.startsWith('/')) return undefined
  if (isWithin(what, run.workspace)) {
    const isReadOnly = run.bounds.workspace === 'read' && !run.guarded.some((one) => isWithin(what, one))
    return kind === 'write' && isReadOnly ? { use: 'write', name: run.workspace } : undefined
  }
  const name = existingFolder(what)
  // Whatever is not there yet was to be created.
  const use = existsSync(what) ? kind : 'write'
  return name !== undefined && isOfferable(name, use, run) ? { use, name } : undefined
}

function isOfferable(folder: string, use: 'read' | 'write', { workspace, home, gate }: RefusedRun): boolean {
  const isTop = dirname(folder) === '/'
  const isHidden = folder.split('/').some((name) => name.startsWith('.'))
  const isGate = isWithin(folder, gate) || isWithin(gate, folder)
  return !isTop && !isHidden && !isGate && !isWithin(workspace, folder) && isGrantable(folder, home, use)
}

/** The folder of a path, or the nearest above it that exists, with every link followed. */
function existingFolder(path: string): string | undefined {
  for (let at = path; at !== '/'; at = dirname(at)) {
    try {
      const real = realpathSync.native(at)
      return statSync(real).isDirectory() ? real : dirname(real)
    } catch {
      // not there: the folder above
    }
  }
  return undefined
}
