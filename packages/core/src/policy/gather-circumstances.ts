import type { FrozenCall } from '../call/call.ts'
import type { Decomposition } from '../command/decomposition.ts'
import type { Ports } from '../ports/ports.ts'
import { collectPaths, folderOf, pathKey } from '../risk/path-uses.ts'
import type { Circumstances, Places } from './circumstances.ts'
import type { Grant } from './grant.ts'
import { counterName } from './limits.ts'
import type { Limit } from './rule.ts'

/** A path the call names and where it leads, as gathered. */
export interface GatheredPath {
  readonly given: string
  readonly cwd: string
  readonly real: string | null
}

export interface Gathered {
  readonly circumstances: Circumstances
  readonly named: readonly GatheredPath[]
}

const NO_FOLDERS: ReadonlyMap<string, string> = new Map()

/** The little of the world it takes. */
interface Sources {
  readonly clock: Pick<Ports['clock'], 'now'>
  readonly targets: Pick<Ports['targets'], 'resolve'>
  readonly store: Pick<Ports['store'], 'counted'>
}

/** Asks the ports what is true right now: the time, where paths lead, what was counted, which grants live. */
export async function gatherCircumstances(
  call: FrozenCall,
  decomposition: Decomposition | null,
  context: {
    readonly ports: Sources
    readonly places: Places
    readonly limits: readonly Limit[]
    readonly grants: readonly Grant[]
    readonly folders?: ReadonlyMap<string, string>
  },
): Promise<Gathered> {
  const { ports, places, limits, grants, folders = NO_FOLDERS } = context
  const now = ports.clock.now()
  const resolved = new Map<string, string>()
  const named: GatheredPath[] = []
  const seen = new Set<string>()
  for (const { given, cwd } of collectPaths(call, decomposition)) {
    const key = pathKey(given, cwd)
    if (seen.has(key)) continue
    seen.add(key)
    const folder = folderOf(cwd, call.cwd, places.home)
    const real = await ports.targets.resolve(given, folder).catch(() => null)
    if (real !== null) resolved.set(key, real)
    named.push({ given, cwd: folder, real })
  }
  const counters = await countUses(call, limits, now, ports)
  return { circumstances: { now, places, resolved, folders, counters, grants }, named }
}

async function countUses(
  call: FrozenCall,
  limits: readonly Limit[],
  now: number,
  ports: Sources,
): Promise<Record<string, number>> {
  const counters: Record<string, number> = {}
  for (const limit of limits) {
    const from = limit.windowMs === null ? 0 : now - limit.windowMs
    counters[counterName(limit)] = await ports.store.counted(call.session ?? '', limit.name, from)
  }
  return counters
}

/** Where the folders that a policy names lead; once per policy. What cannot be resolved is taken as spelled. */
export async function resolvePolicyFolders(
  folders: readonly string[],
  targets: Sources['targets'],
): Promise<ReadonlyMap<string, string>> {
  const resolved = new Map<string, string>()
  for (const folder of folders) {
    const real = await targets.resolve(folder, '/').catch(() => folder)
    if (real !== folder) resolved.set(folder, real)
  }
  return resolved
}
