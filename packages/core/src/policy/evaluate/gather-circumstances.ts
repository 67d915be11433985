import type { FrozenCall } from '../../call/call.ts'
import type { Decomposition } from '../../command/model/decomposition.ts'
import { SHELL_BUILTINS } from '../../command/programs/program-names.ts'
import type { Turns } from '../../ports/cooperative-yield.ts'
import { answerOr } from '../../ports/maybe-promise.ts'
import type { Ports } from '../../ports/ports.ts'
import { collectPaths, folderOf, pathKey } from '../../risk/path/paths-to-resolve.ts'
import type { Circumstances, Places } from '../model/circumstances.ts'
import type { Grant } from '../model/grant.ts'
import { counterName, counterScope } from '../model/limits.ts'
import type { Limit, Rating } from '../model/rule.ts'

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

/** Programs of one call that are looked up. */
const MAX_PROGRAMS = 32

const NOWHERE: ReadonlyMap<string, string> = new Map()
const ALONE: Pick<Turns, 'waitFor'> = { waitFor: (answer) => answer }

/** The little of the world it takes. */
interface Sources {
  readonly clock: Pick<Ports['clock'], 'now'>
  /** Without `program` nothing is looked up through PATH. */
  readonly targets: Pick<Ports['targets'], 'resolve'> & Partial<Pick<Ports['targets'], 'program'>>
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
    readonly rating?: Rating | undefined
    /** Of the call this is a step of. */
    readonly turns?: Pick<Turns, 'waitFor'>
  },
): Promise<Gathered> {
  const { ports, places, limits, grants, folders = NOWHERE, rating, turns = ALONE } = context
  const now = ports.clock.now()
  const resolved = new Map<string, string>()
  const named: GatheredPath[] = []
  const seen = new Set<string>()
  for (const { given, cwd } of collectPaths(call, decomposition)) {
    const key = pathKey(given, cwd)
    if (seen.has(key)) continue
    seen.add(key)
    const folder = folderOf(cwd, call.cwd, places.home)
    const real = await turns.waitFor(answerOr(() => ports.targets.resolve(given, folder), null))
    if (real !== null) resolved.set(key, real)
    named.push({ given, cwd: folder, real })
  }
  const here = pathKey('.', '')
  if (decomposition !== null && call.cwd !== places.workspace && !seen.has(here)) {
    const real = await turns.waitFor(answerOr(() => ports.targets.resolve('.', call.cwd), null))
    if (real !== null) resolved.set(here, real)
  }
  const programs =
    decomposition === null
      ? NOWHERE
      : await turns.waitFor(findPrograms(call, decomposition.parts, places, ports.targets))
  const counters = limits.length === 0 ? {} : await turns.waitFor(countUses(call, limits, now, places.workspace, ports))
  return { circumstances: { now, places, resolved, programs, folders, counters, grants, ...rating }, named }
}

/** Where PATH leads for each program named without a folder: one look per name. */
async function findPrograms(
  call: FrozenCall,
  parts: Decomposition['parts'],
  places: Places,
  targets: Sources['targets'],
): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>()
  for (const { path, cwd, via } of parts) {
    if (path === null || path === '' || path.includes('/') || folders.has(path)) continue
    // A shell does these itself; without one, or behind a wrapper, they are programs like any other.
    if (SHELL_BUILTINS.has(path) && via.length === 0 && call.descriptor.argv === undefined) continue
    if (folders.size < MAX_PROGRAMS) folders.set(path, folderOf(cwd, call.cwd, places.home))
  }
  const found = new Map<string, string>()
  const find = async (name: string, folder: string): Promise<void> => {
    const at = await answerOr(() => targets.program?.(name, folder), undefined)
    if (at !== undefined) found.set(name, at)
  }
  const looks = [...folders].map(([name, folder]) => find(name, folder))
  await (looks.length === 1 ? looks[0] : Promise.all(looks))
  return found
}

async function countUses(
  call: FrozenCall,
  limits: readonly Limit[],
  now: number,
  workspace: string,
  ports: Sources,
): Promise<Record<string, number>> {
  const counters: Record<string, number> = {}
  for (const limit of limits) {
    const from = limit.windowMs === null ? 0 : now - limit.windowMs
    const scope = counterScope(limit, call.session, workspace)
    counters[counterName(limit)] = await ports.store.counted(scope, limit.name, from)
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
    const real = await answerOr(() => targets.resolve(folder, '/'), folder)
    if (real !== folder) resolved.set(folder, real)
  }
  return resolved
}
