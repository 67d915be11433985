import { LOADING } from '../../knowledge/compiled/commands.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PathUse, RatedPart, RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { unseenContribution } from '../compile/verdict-contribution.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import type { Circumstances, UnseenChange, UnseenChanges } from '../model/circumstances.ts'
import { supervisionRank } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { runsOutsideByRule } from './containment.ts'
import type { UnitJudgement } from './unit-evaluator.ts'

/** Which files of the workspace a command could load as code; `found`: exactly those that were found by reading its code. */
type Loads = 'anything' | 'found' | 'version-control' | 'nothing'

type Judged = Pick<Circumstances, 'places' | 'seen'>

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
function loadable({ everything, files }: UnseenChanges, risk: RiskReport, judged: Judged): UnseenChanges | null {
  const loads = loadsOf(risk)
  if (loads === 'nothing') return null
  const could = files.filter(({ path }) => LOADED[loads](path, risk, judged))
  return everything === null && could.length === 0 ? null : { everything, files: could }
}

/** Whether a command that loads files of the workspace could load this one. */
const LOADED: Readonly<Record<Exclude<Loads, 'nothing'>, (path: string, risk: RiskReport, judged: Judged) => boolean>> =
  {
    // `bash notes.md`: a file that the command names may be code, whatever its ending.
    anything: (path, { paths, parts }, judged) =>
      isLoadable(path) || isAmong(path, [...paths, ...parts.flatMap((part) => part.paths)], judged),
    found: (path, { parts }, judged) => {
      const { files = [], absent = [] } = judged.seen ?? {}
      const real = `${judged.places.workspace}/${path}`
      if (files.some((file) => file.path === real && file.consulted !== true) || absent.includes(real)) return true
      if (isVersionControl(path) && parts.some((part) => loadsOfPart(part) === 'version-control')) return true
      // Settings that no command names, and installed programs: they are looked for, and count in any case.
      if (path.endsWith('/') || path.split('/').some((name) => name.startsWith('.') || name === 'node_modules'))
        return true
      return isAmong(
        path,
        parts.filter(({ proven }) => proven === 'runs').flatMap((part) => part.paths),
        judged,
      )
    },
    'version-control': isVersionControl,
  }

function isAmong(path: string, uses: readonly PathUse[], { places }: Judged): boolean {
  return uses.some(({ real }) => real === `${places.workspace}/${path}`)
}

/** Reads the changes that a command could load; undefined if there are none. Never throws. */
export async function unseenFor(
  risk: RiskReport,
  judged: Judged,
  ports: Pick<Ports, 'store' | 'files'>,
): Promise<UnseenChanges | undefined> {
  if (loadsOf(risk) === 'nothing') return undefined
  const gathered = await gatherUnseen(judged.places.workspace, ports).catch(() => UNREADABLE)
  return loadable(gathered, risk, judged) ?? undefined
}

const UNREADABLE: UnseenChanges = { everything: 'they can’t be read', files: [] }

/** Whether a call is a command that could load files of the workspace as code. */
export function loadsCode(risk: RiskReport): boolean {
  const loads = loadsOf(risk)
  return risk.parts.length > 0 && (loads === 'anything' || loads === 'found')
}

/** What a command could load. */
function loadsOf({ parts, understood }: RiskReport): Loads {
  const all = new Set(parts.map(loadsOfPart))
  if (!understood || parts.length === 0 || all.has('anything')) return 'anything'
  // INVARIANT: of code that is understood whole, the files that were read to judge it are those that it loads.
  if (all.has('found')) return 'found'
  return all.has('version-control') ? 'version-control' : 'nothing'
}

function loadsOfPart({ command, runsProject, proven, provided }: RatedPart): Loads {
  const { program, path, via, defined } = command
  if (proven === 'reads' || proven === 'changes') return provided === undefined ? 'nothing' : 'version-control'
  // Test runners and other tools load files that are not read.
  if (proven === 'runs' && provided === undefined && command.inside?.exact === true) return 'found'
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
