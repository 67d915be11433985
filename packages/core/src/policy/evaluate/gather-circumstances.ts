import type { FrozenCall } from '../../call/call.ts'
import type { Decomposition, ExactCommands } from '../../command/model/decomposition.ts'
import { SHELL_BUILTINS } from '../../command/programs/program-names.ts'
import type { Turns } from '../../ports/cooperative-yield.ts'
import { answerOr, type MaybePromise } from '../../ports/maybe-promise.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SandboxStatus } from '../../ports/sandbox.ts'
import { globsToExpand, matchesDots } from '../../risk/path/glob-matches.ts'
import { collectPaths, folderOf, pathKey } from '../../risk/path/paths-to-resolve.ts'
import { treesRead } from '../../risk/path/trees-read.ts'
import { ProjectReader, type ReaderPorts } from '../../runners/reading/project-reader.ts'
import { type SeenCommand, seeThrough } from '../../runners/see-through.ts'
import { gatherWritten, type WrittenRun } from '../../runners/written/gather-written.ts'
import { newTexts } from '../../runners/written/new-texts.ts'
import type { Circumstances, Places } from '../model/circumstances.ts'
import type { Grant } from '../model/grant.ts'
import { counterName, counterScope } from '../model/limits.ts'
import type { Limit, Rating } from '../model/rule.ts'
import { createdFiles } from './created-files.ts'
import { declaredContext } from './declared-context.ts'
import { expandGlobs, expandWords, type GlobWord } from './expand-globs.ts'
import { type LookedAt, lookAtFiles, mayChange } from './look-at-files.ts'
import { scanTrees } from './scan-trees.ts'

/** A path the call names and where it leads, as gathered. */
export interface GatheredPath {
  readonly given: string
  readonly cwd: string
  readonly real: string | null
}

export interface Gathered {
  readonly circumstances: Circumstances
  /** The command, with the commands found in the files that it runs. */
  readonly command: Decomposition | null
  readonly named: readonly GatheredPath[]
}

/** Programs of one call that are looked up. */
const MAX_PROGRAMS = 32

const NOWHERE: ReadonlyMap<string, string> = new Map()
const ALONE: Pick<Turns, 'waitFor'> = { waitFor: (answer) => answer }

/** The little of the world it takes. */
interface Sources {
  readonly clock: Pick<Ports['clock'], 'now'> & Partial<Pick<Ports['clock'], 'monotonic'>>
  /** Without `program` nothing is looked up through PATH; without the others no file that a command runs is read. */
  readonly targets: Pick<Ports['targets'], 'resolve'> &
    Partial<Pick<Ports['targets'], 'program' | 'readText' | 'readEntry' | 'facts' | 'list' | 'look' | 'members'>>
  readonly crypto?: Pick<Ports['crypto'], 'sha256'>
  readonly store: Pick<Ports['store'], 'counted'> & Partial<Pick<Ports['store'], 'changes'>>
  /** Without them no file counts as created by a call. */
  readonly files?: Pick<Ports['files'], 'states'>
  /** Without it, or if it fails, there is none. */
  readonly sandbox?: Ports['sandbox']
  readonly repositories?: Ports['repositories']
}

/** Asks the ports what is true right now: the time, where paths lead, what was counted, which grants live. */
export async function gatherCircumstances(
  call: FrozenCall,
  given: Decomposition | null,
  context: {
    readonly ports: Sources
    readonly places: Places
    readonly limits: readonly Limit[]
    readonly grants: readonly Grant[]
    readonly folders?: ReadonlyMap<string, string>
    readonly rating?: Rating | undefined
    readonly leaving?: Circumstances['leaving'] | undefined
    /** Of the call this is a step of. */
    readonly turns?: Pick<Turns, 'waitFor'>
  },
): Promise<Gathered> {
  const { ports, places, limits, grants, folders = NOWHERE, rating, leaving, turns = ALONE } = context
  const now = ports.clock.now()
  const through = given === null ? null : await turns.waitFor(lookInside(call, given, places, ports))
  const decomposition = through?.command ?? given
  const resolved = new Map<string, string>()
  const named: GatheredPath[] = []
  const seen = new Set<string>()
  for (const { given: path, cwd } of collectPaths(call, decomposition, rating?.knowledge)) {
    const key = pathKey(path, cwd)
    if (seen.has(key)) continue
    seen.add(key)
    const folder = folderOf(cwd, call.cwd, places.home)
    const real = await turns.waitFor(answerOr(() => ports.targets.resolve(path, folder), null))
    if (real !== null) resolved.set(key, real)
    named.push({ given: path, cwd: folder, real })
  }
  const looked = decomposition === null ? null : await turns.waitFor(lookAtChanges(call, decomposition, places, ports))
  for (const path of looked?.named ?? []) named.push(path)
  const matched =
    decomposition === null
      ? NOWHERE
      : await turns.waitFor(matchGlobs(call, decomposition, rating?.knowledge, places, ports.targets))
  const expanded =
    decomposition?.exact == null
      ? NO_WORDS
      : await turns.waitFor(expandExact(call, decomposition.exact, rating?.knowledge, places, ports.targets))
  const below =
    decomposition === null ? null : await turns.waitFor(lookBelow(call, decomposition, places, ports.targets))
  const here = pathKey('.', '')
  if (decomposition !== null && call.cwd !== places.workspace && !seen.has(here)) {
    const real = await turns.waitFor(answerOr(() => ports.targets.resolve('.', call.cwd), null))
    if (real !== null) resolved.set(here, real)
  }
  const programs =
    decomposition === null
      ? NOWHERE
      : await turns.waitFor(
          findPrograms(call, [...decomposition.parts, ...(decomposition.exact?.parts ?? [])], places, ports.targets),
        )
  const asksSandbox = decomposition !== null && (call.containable || call.uncontained !== null)
  const sandbox = asksSandbox ? await turns.waitFor(sandboxStatus(ports.sandbox)) : undefined
  const written = await turns.waitFor(lookAtWrites(call, given, places, ports))
  const created = await turns.waitFor(createdFiles(call, decomposition, resolved.values(), places, ports))
  const bound = [...(looked?.bound ?? []), ...(created ?? [])]
  const counters = limits.length === 0 ? {} : await turns.waitFor(countUses(call, limits, now, places.workspace, ports))
  const circumstances: Circumstances = {
    now,
    places,
    resolved,
    ...(matched.size === 0 ? {} : { matched }),
    ...(looked === null || looked.looks.size === 0 ? {} : { looks: looked.looks }),
    ...(bound.length === 0 ? {} : { bound }),
    ...(expanded.size === 0 ? {} : { expanded }),
    ...(below && { below }),
    programs,
    folders,
    counters,
    grants,
    ...(created === null ? {} : { created: new Set(created.map(({ path }) => path)) }),
    ...declaredContext(rating, { places, folders }, call.inProduction),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(leaving && { leaving }),
    ...(through === null ? {} : { seen: through.seen }),
    ...(written.length === 0 ? {} : { written }),
  }
  return { circumstances, named, command: decomposition }
}

/** What the words with wildcards really match. Nothing is listed for a command without them. */
function matchGlobs(
  call: FrozenCall,
  { parts }: Decomposition,
  own: Rating['knowledge'],
  places: Places,
  { resolve, list }: Sources['targets'],
): MaybePromise<ReadonlyMap<string, string>> {
  const globs = list === undefined ? [] : globsToExpand(parts, own)
  if (list === undefined || globs.length === 0) return NOWHERE
  const dots = matchesDots(parts)
  return expandGlobs(globs, { cwd: call.cwd, dots, places, targets: { resolve, list } })
}

/** What is below the folders that a command reads whole; null if it reads none. */
function lookBelow(
  call: FrozenCall,
  { parts, exact }: Decomposition,
  places: Places,
  { resolve, list, facts }: Sources['targets'],
): MaybePromise<ReadonlyMap<string, string | null> | null> {
  const trees = list === undefined ? [] : [...parts, ...(exact?.parts ?? [])].flatMap(treesRead)
  if (list === undefined || facts === undefined || trees.length === 0) return null
  return scanTrees(trees, { cwd: call.cwd, places, targets: { resolve, list, facts } })
}

/** Looks at the files that a command changes or copies; null if there is no access to files. */
function lookAtChanges(
  call: FrozenCall,
  { parts: found, exact }: Decomposition,
  places: Places,
  { targets, clock }: Sources,
): MaybePromise<LookedAt | null> {
  const parts = exact == null ? found : [...found, ...exact.parts]
  const { resolve, facts, list, look, readText, members } = targets
  const { monotonic } = clock
  if (facts === undefined || list === undefined || look === undefined || readText === undefined) return null
  if (monotonic === undefined || !parts.some(mayChange)) return null
  const access = { resolve, facts, list, look, readText, ...(members === undefined ? {} : { members }) }
  return lookAtFiles(parts, call, places, access, { monotonic })
}

const NO_WORDS: ReadonlyMap<string, readonly GlobWord[]> = new Map()

/** What the shell puts in the place of words with wildcards. */
function expandExact(
  call: FrozenCall,
  { parts }: ExactCommands,
  own: Rating['knowledge'],
  places: Places,
  { resolve, list }: Sources['targets'],
): MaybePromise<ReadonlyMap<string, readonly GlobWord[]>> {
  const globs = list === undefined ? [] : globsToExpand(parts, own)
  if (list === undefined || globs.length === 0) return NO_WORDS
  return expandWords(globs, { cwd: call.cwd, places, targets: { resolve, list } })
}

/** Reads the files that a command runs; null if it runs none, or if there is no access to files. */
function lookInside(
  call: FrozenCall,
  command: Decomposition,
  places: Places,
  ports: Sources,
): MaybePromise<SeenCommand | null> {
  const access = readingPorts(ports)
  return access === null ? null : seeThrough(command, call.cwd, places, access)
}

const NOTHING_WRITTEN: readonly WrittenRun[] = []

/** What the call adds to files that other programs run. */
function lookAtWrites(
  call: FrozenCall,
  command: Decomposition | null,
  places: Places,
  ports: Sources,
): MaybePromise<readonly WrittenRun[]> {
  const texts = newTexts(call, command, places.home)
  const access = texts.length === 0 ? null : readingPorts(ports)
  return access === null ? NOTHING_WRITTEN : gatherWritten(texts, new ProjectReader(access, places.workspace))
}

function readingPorts({ targets, crypto, clock, repositories }: Sources): ReaderPorts | null {
  const { resolve, readEntry, facts, list, look } = targets
  const { monotonic } = clock
  if (readEntry === undefined || facts === undefined || list === undefined) return null
  if (crypto === undefined || monotonic === undefined) return null
  const access = { resolve, readEntry, facts, list, ...(look === undefined ? {} : { look }) }
  return { targets: access, crypto, clock: { monotonic }, repositories }
}

async function sandboxStatus(sandbox: Sources['sandbox']): Promise<SandboxStatus['kind']> {
  const status = await answerOr(() => sandbox?.status(), undefined)
  return status?.kind ?? 'broken'
}

/** Where PATH leads for each program named without a folder: one look per name. */
async function findPrograms(
  call: FrozenCall,
  parts: Decomposition['parts'],
  places: Places,
  targets: Sources['targets'],
): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>()
  for (const { path, cwd, via, inside } of parts) {
    if (inside?.program !== undefined) continue
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
