import { LOADING } from '../../knowledge/compiled/commands.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RatedPart, RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { unseenContribution } from '../compile/verdict-contribution.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import type { UnseenChange, UnseenChanges } from '../model/circumstances.ts'
import { supervisionRank } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { runsOutsideByRule } from './containment.ts'
import type { UnitJudgement } from './unit-evaluator.ts'

/** Which files of the workspace a command could load as code. */
type Loads = 'anything' | 'version-control' | 'nothing'

/**
 * Reads which changed files nobody has seen, with their content now. What can't be told counts as unseen. Also looks for
 * changes of calls that are still running.
 */
export async function gatherUnseen(
  workspace: string,
  { store, files }: Pick<Ports, 'store' | 'files'>,
): Promise<UnseenChanges> {
  const known = await store.changes(workspace)
  const unseen = new Map<string, UnseenChange>()
  let { everything } = known
  const rows = new Map(known.files.map((row) => [row.path, row]))
  const states = await files.states(workspace, known.files)
  for (const { path, content, mark } of states) {
    const row = rows.get(path)
    // A file that is gone can't be loaded; that a call deleted it can change what is loaded in its place.
    if (row === undefined || content === row.seen || (content === 'absent' && row.kind !== 'deleted')) continue
    const { seen, agent, call, backup } = row
    const kind = content === 'absent' ? 'deleted' : row.kind
    unseen.set(path, { path, kind, content, mark, seen, agent, call, backup })
  }
  const [first] = known.unrecorded
  if (first !== undefined) {
    const found = await files.changedSince(workspace, first.since)
    if (found.kind === 'unknown') everything ??= found.why
    else
      for (const { path, content, mark, change } of found.files)
        if (!unseen.has(path) && rows.get(path)?.seen !== content && content !== 'absent')
          unseen.set(path, { ...INSTALLED, path, kind: change, content, mark, agent: first.agent, call: first.call })
  }
  if (known.installedSince !== null) {
    const installed = await files.installedSince(workspace, known.installedSince).catch(() => null)
    if (installed === null) everything ??= 'its installed code can’t be searched'
    for (const { path, files: count } of installed?.folders ?? [])
      unseen.set(path, { ...INSTALLED, path, content: `until:${installed?.until}`, mark: `${count}` })
  }
  return { everything, files: [...unseen.values()] }
}

const INSTALLED = { kind: 'written', seen: null, agent: '', call: '', backup: null } as const

/** The changes that a command could load; null if there are none. */
function loadable({ everything, files }: UnseenChanges, risk: RiskReport, workspace: string): UnseenChanges | null {
  const loads = loadsOf(risk)
  if (loads === 'nothing') return null
  // `bash notes.md`: a file that the command names may be code, whatever its ending.
  const paths = [...risk.paths, ...risk.parts.flatMap((part) => part.paths)]
  const named = new Set(paths.map(({ real }) => real?.slice(workspace.length + 1)))
  const could = files.filter(({ path }) =>
    loads === 'anything' ? named.has(path) || isLoadable(path) : isVersionControl(path),
  )
  return everything === null && could.length === 0 ? null : { everything, files: could }
}

/** Reads the changes that a command could load; undefined if there are none. Never throws. */
export async function unseenFor(
  risk: RiskReport,
  workspace: string,
  ports: Pick<Ports, 'store' | 'files'>,
): Promise<UnseenChanges | undefined> {
  if (loadsOf(risk) === 'nothing') return undefined
  const gathered = await gatherUnseen(workspace, ports).catch(() => UNREADABLE)
  return loadable(gathered, risk, workspace) ?? undefined
}

const UNREADABLE: UnseenChanges = { everything: 'they can’t be read', files: [] }

/** Whether a call is a command that could load any file of the workspace as code. */
export function loadsCode(risk: RiskReport): boolean {
  return risk.parts.length > 0 && loadsOf(risk) === 'anything'
}

/** What a command could load. */
function loadsOf({ parts, understood }: RiskReport): Loads {
  const all = parts.map(loadsOfPart)
  if (!understood || parts.length === 0 || all.includes('anything')) return 'anything'
  return all.includes('version-control') ? 'version-control' : 'nothing'
}

function loadsOfPart({ command, runsProject, proven, provided }: RatedPart): Loads {
  const { program, path, via, defined } = command
  if (proven === 'reads' || proven === 'changes') return provided === undefined ? 'nothing' : 'version-control'
  if (runsProject === true || program === null || defined === true || path !== program || via.length > 0)
    return 'anything'
  if (LOADING.dataOnly.has(program)) return 'nothing'
  return LOADING.versionControl.has(program) ? 'version-control' : 'anything'
}

function isLoadable(path: string): boolean {
  const dot = path.lastIndexOf('.')
  return dot <= path.lastIndexOf('/') || !LOADING.neverLoaded.has(path.slice(dot).toLowerCase())
}

function isVersionControl(path: string): boolean {
  return path.split('/').some((name) => LOADING.versionControlFiles.has(name.toLowerCase()))
}

/**
 * A command that could load what nobody has seen asks before it runs outside the sandbox, also if a grant covers it: the
 * grant was given for other code. The preset `classic`, and `contain: false` in the rules for all its parts, are exempt, as from L11.
 */
export function withUnseen(
  verdict: Verdict,
  units: readonly Unit[],
  judgements: readonly UnitJudgement[],
  about: Case,
  policy: Policy,
): Verdict {
  const { unseen } = about.circumstances
  if (unseen === undefined || verdict.contain != null || policy.set.row.contained === 'never') return verdict
  if (verdict.supervision === 'deny' || runsOutsideByRule(units, judgements, about)) return verdict
  const { rule, reason } = unseenContribution(unseen)
  const contributors = [...verdict.contributors, rule]
  if (supervisionRank(verdict.supervision) >= supervisionRank('confirm'))
    return { ...verdict, contributors, reasons: [...verdict.reasons, reason] }
  return {
    ...verdict,
    supervision: 'confirm',
    rule,
    condition: null,
    contributors: [rule, ...verdict.contributors],
    reasons: [reason, ...verdict.reasons],
    grant: null,
    contain: null,
  }
}
