import type { GateContext } from '../approval/context/gate-context.ts'
import type { Outcome } from '../approval/outcome/outcome.ts'
import type { ClearedCall } from '../approval/outcome/permission.ts'
import type { Permit } from '../approval/outcome/permit.ts'
import { agentText } from '../approval/record/call-row.ts'
import type { Json } from '../call/json/json.ts'
import { loadsCode } from '../policy/evaluate/unseen-changes.ts'
import type { FileChange, RecordedChanges, UnrecordedCall } from '../ports/changes.ts'
import type { Change } from '../ports/store.ts'
import type { FileState, FileWatch, FoundChanges, FoundFile } from '../ports/workspace-files.ts'
import { isInside, placeOf } from '../risk/path/category.ts'
import type { RiskReport } from '../risk/report/report.ts'
import { changedTargets } from '../safety/changed-targets.ts'
import { backupOf } from './keep-backup.ts'
import { shownContents } from './shown-contents.ts'

/** The key of the calls that a host runs by itself: what they change is found later. */
export const RELEASED = 'released'

/** What is known before the effect about the files that a call may change. */
interface Watched {
  readonly call: UnrecordedCall
  /** For calls that may change any file; null for calls that name theirs. */
  readonly watch: FileWatch | 'failed' | null
  /** The named files before the effect. */
  readonly before: readonly FileState[]
  /** Hashes of the contents that the approver saw, by path. */
  readonly shown: ReadonlyMap<string, readonly string[]>
  /**
   * A person approved running the project's code, or code that can't be seen through, outside: its build output and the
   * packages it installed add nothing to what that code could do.
   */
  readonly ownsOutput: boolean
  readonly restores: boolean
}

const WATCHED = new WeakMap<Permit, Watched>()

/**
 * Looks at the files that the call may change, before it changes them. Returns what must be recorded with the intent: if
 * this process dies before the outcome, the next one looks for the changes. Null if the call changes no file of the workspace.
 */
export async function watchChanges(
  cleared: ClearedCall,
  { ports, places }: GateContext,
): Promise<UnrecordedCall | null> {
  const { judgement, permit, verified } = cleared
  const { workspace } = places
  const reach = reachOf(cleared, workspace)
  if (reach === null) return null
  // Of a command, the files it names: rewritten with the same content, they have not changed.
  const paths = reach === 'anything' ? namedBy(judgement.risk, workspace) : reach
  const named = paths.map((path) => ({ path, content: '', mark: '' }))
  const before = await ports.files.states(workspace, named)
  const isAnything = reach === 'anything' || before.some(({ content }) => content === 'folder')
  const watch = isAnything ? await ports.files.watch(workspace).catch(() => 'failed' as const) : null
  const since = watch === null || watch === 'failed' ? ports.files.now(workspace) : watch.since
  const call = { workspace, call: permit.callId, agent: agentText(judgement.call), since }
  const { parts, reasons } = judgement.risk
  const runsOwn = parts.some((part) => part.runsProject === true) || reasons.some(({ rule }) => rule === 'runs.opaque')
  WATCHED.set(permit, {
    call,
    watch,
    before,
    shown: await shownContents(cleared, workspace, ports),
    ownsOutput: runsOwn && verified !== null && permit.contain === null,
    restores: judgement.asked.restores !== undefined,
  })
  return call
}

/** INVARIANT: L10, so many files that a command names are read before it runs. */
const MOST_NAMED = 32
/** Git rewrites it for a branch that it adds or deletes, often with the same content. */
const REPOSITORY = '.git/config'

function namedBy({ paths }: RiskReport, workspace: string): readonly string[] {
  const inside = paths.flatMap(({ real }) =>
    real !== null && real !== workspace && isInside(real, workspace) ? [real.slice(workspace.length + 1)] : [],
  )
  return [...new Set([REPOSITORY, ...inside])].slice(0, MOST_NAMED)
}

/** Files below the workspace that the call names, 'anything', or null if it changes none. */
function reachOf({ judgement, permit }: ClearedCall, workspace: string): readonly string[] | 'anything' | null {
  const { call, risk, circumstances } = judgement
  const { command, argv, kind } = call.descriptor
  if (command !== undefined || argv !== undefined || risk.parts.length > 0) {
    const { contain } = permit
    if (contain !== null && contain.workspace === 'read' && contain.write.length === 0) return null
    const reads = risk.understood && risk.parts.length > 0 && risk.parts.every((part) => part.onlyReads === true)
    // Code of the project is recorded while it runs: `refuseRivals` looks for it.
    return reads && (contain !== null || !loadsCode(risk)) ? null : 'anything'
  }
  const { known, unknown } = changedTargets({ call, risk, places: circumstances.places })
  if (unknown.length > 0 || (kind === 'execute' && known.length === 0)) return 'anything'
  const inside = known.filter(({ real }) => isInside(real, workspace))
  if (inside.some(({ real }) => real === workspace)) return 'anything'
  return inside.length === 0 ? null : [...new Set(inside.map(({ real }) => real.slice(workspace.length + 1)))]
}

/** What changed, to be recorded in the transaction of the outcome. Never throws: what can't be told counts as unseen. */
export async function changesAfter(
  permit: Permit,
  outcome: Outcome,
  { ports, places }: GateContext,
): Promise<Pick<Change, 'changed' | 'unrecorded'> & { readonly entry?: { readonly [field: string]: Json } }> {
  const watched = WATCHED.get(permit)
  if (watched === undefined) return {}
  const { call, watch } = watched
  const at = ports.clock.now()
  const isLater = outcome === 'released' || outcome === 'unknown'
  if (isLater && watch !== null)
    return {
      changed: { ...emptyChanges(call, at), installedSince: call.since },
      unrecorded: { ...call, call: RELEASED },
    }
  const found = watch === null ? await namedChanges(watched, isLater, ports) : await foundBy(watch)
  if (found.kind === 'unknown') {
    const changed = { ...emptyChanges(call, at), everything: found.why, installedSince: call.since }
    return { changed, entry: { changed: { everything: found.why } } }
  }
  const isOutput = (path: string): boolean =>
    watched.ownsOutput && placeOf(`${call.workspace}/${path}`, places) === 'regenerable'
  const backup = backupOf(permit)
  const before = new Map(watched.before.map(({ path, content }) => [path, content]))
  const files = found.files
    .filter(({ path }) => !isOutput(path))
    .map((file) => {
      const isShown = watched.shown.get(file.path)?.includes(file.content) === true
      const was = before.get(file.path) ?? (file.isNew === true ? 'absent' : null)
      return { ...fileChange(file, was, isShown, backup), ...(watched.restores ? RESTORED : {}) }
    })
  const installedSince = watch === null || watched.ownsOutput ? null : await installedBy(call, permit, ports)
  const changed = { ...emptyChanges(call, at), files, installedSince }
  const unseen = files.filter((file) => !file.seen && file.content !== file.before).length
  return files.length === 0 ? { changed } : { changed, entry: { changed: { files: files.length, unseen } } }
}

/** Since when installed code counts as changed by the call. In the sandbox, where unseen code may run, nobody looks for it. */
async function installedBy({ workspace, since }: UnrecordedCall, permit: Permit, ports: GateContext['ports']) {
  if (permit.contain !== null) return since
  const { folders } = await ports.files.installedSince(workspace, since).catch(() => ({ folders: null }))
  return folders?.length === 0 ? null : since
}

/**
 * Looks for the changes of calls that ended without recording them, because their process died. To be called after
 * abandoned calls were closed.
 */
export async function recoverChanges({
  ports,
  places,
  commit,
}: Pick<GateContext, 'ports' | 'places' | 'commit'>): Promise<void> {
  const { unrecorded } = await ports.store.changes(places.workspace)
  for (const one of unrecorded) {
    if (one.call === RELEASED) continue
    const row = await ports.store.call(one.call)
    if (row !== undefined && row.state !== 'closed') continue
    const unknown = { kind: 'unknown', why: 'the workspace can’t be searched' } as const
    const found = await ports.files.changedSince(one.workspace, one.since).catch(() => unknown)
    const changed = { ...emptyChanges(one, ports.clock.now()), installedSince: one.since }
    // Nobody can tell whether it was an undo.
    const files =
      found.kind === 'unknown'
        ? []
        : found.files.map((file) => ({ ...fileChange(file, null, false, null), ...RESTORED }))
    const everything = found.kind === 'unknown' ? found.why : null
    await commit({ entries: [], changed: { ...changed, files, everything }, durable: false })
  }
}

const RESTORED = { restored: true } as const

function fileChange(
  { path, content, mark, change }: FoundFile,
  before: string | null,
  seen: boolean,
  backup: string | null,
): FileChange {
  return { path, kind: change, content, mark, before, seen, backup }
}

function emptyChanges({ workspace, call, agent }: UnrecordedCall, at: number): RecordedChanges {
  return { workspace, call, agent, at, files: [], everything: null, installedSince: null }
}

async function foundBy(watch: FileWatch | 'failed'): Promise<FoundChanges> {
  const unknown = { kind: 'unknown', why: 'the workspace can’t be searched' } as const
  return watch === 'failed' ? unknown : watch.changed().catch(() => unknown)
}

/** The named files after the effect. A host changes them later: then they have what was shown, or nobody knows. */
async function namedChanges(
  { call, before, shown }: Watched,
  isLater: boolean,
  ports: GateContext['ports'],
): Promise<FoundChanges> {
  try {
    const asked = before.map(({ path }) => ({ path, content: '', mark: '' }))
    const states = isLater
      ? asked.map(({ path }) => ({ path, content: shown.get(path)?.[0] ?? 'unknown', mark: '' }))
      : await ports.files.states(call.workspace, asked)
    // A folder stands for all that is in it.
    if (states.some(({ content }) => content === 'folder'))
      return await ports.files.changedSince(call.workspace, call.since)
    return {
      kind: 'files',
      files: states.map((state) => ({ ...state, change: state.content === 'absent' ? 'deleted' : 'written' })),
    }
  } catch {
    return { kind: 'unknown', why: 'the changed files can’t be read' }
  }
}
