import type { FrozenCall } from '../call/call.ts'
import type { Decomposition } from '../command/model/decomposition.ts'
import { CONTAINED } from '../knowledge/compiled/commands.ts'
import { coverSecrets } from '../secrets/mask.ts'
import { rateApprovalClaim, rateStatedIntent } from './agent-statements.ts'
import { rateFoundProgram } from './command/program-location.ts'
import { rateCommand } from './command/rate-command.ts'
import { rateWritten } from './command/written-runs.ts'
import { toolHosts } from './hosts/tool-hosts.ts'
import { rateLeavingSecrets } from './leaving-secrets.ts'
import { type LocatedPath, pathUse, type RiskCircumstances } from './path/located-path.ts'
import { ratePath } from './path/rate-path.ts'
import { lessReversible, type RiskFinding } from './report/finding.ts'
import { highestRisk, riskRank } from './report/level.ts'
import type { HostUse, PathUse, RatedPart, RiskReason, RiskReport } from './report/report.ts'
import { callPaths, rateAnnotations, rateTool } from './tool/rate-tool.ts'

/** Reasons in a report, worst first. */
const MAX_REASONS = 32
const NO_PARTS: readonly RatedPart[] = []
const NO_HOSTS: readonly HostUse[] = []

/**
 * Rates how bad a call could get. Pure: the same inputs always give the same report. When in doubt it rates higher: the
 * unknown never counts as harmless, and no statement of an agent or a server lowers a level.
 */
export function rateRisk(
  call: FrozenCall,
  decomposition: Decomposition | null,
  circumstances: RiskCircumstances,
  /** The number of calls around this one. Nested calls are rated together with the outermost. */
  depth = 0,
): RiskReport {
  const command = decomposition === null ? null : rateCommand(decomposition, call.cwd, circumstances, { proves: true })
  const located = callPaths(call, circumstances)
  const findings = command === null ? [] : command.findings
  const spanned = findings.length
  for (const one of rateTool(call, located, circumstances, command !== null, depth)) findings.push(one)
  if (command !== null) for (const path of located) add(findings, ratePath(path, circumstances.places))
  add(findings, rateExactProgram(call, circumstances))
  if (circumstances.written !== undefined)
    for (const one of rateWritten(circumstances.written, call.cwd, circumstances)) findings.push(one)
  add(findings, rateAnnotations(call, findings))
  add(findings, rateApprovalClaim(call))
  add(findings, rateStatedIntent(call.said, circumstances))
  const hosts = command === null ? toolHosts(call) : NO_HOSTS
  const parts = command === null ? NO_PARTS : command.parts
  for (const one of rateLeavingSecrets(call, parts, located, hosts, circumstances)) findings.push(one)
  const reasons = command === null ? [] : command.reasons
  for (let at = spanned; at < findings.length; at++) {
    const one = findings[at]
    if (one === undefined) continue
    if (one.source !== undefined) circumstances.rowAnswered?.(null, one)
    if (one.level !== 'none') reasons.push({ level: one.level, rule: one.rule, text: one.text })
  }
  const paths = allPaths(located, parts)
  const { level, reversible } = worstOf(findings)
  const { magnitude, target } = blastRadius(findings, paths)
  return {
    level,
    reversible,
    magnitude,
    target: target === null ? null : coverSecrets(target),
    reasons: coverReasons(worstFirst(reasons)),
    paths,
    hosts: allHosts(hosts, parts),
    parts,
    understood: command === null || command.understood,
    ...needsOutside(decomposition),
    ...besideParts(command === null ? [] : findings.slice(spanned)),
  }
}

function besideParts(findings: readonly RiskFinding[]): Pick<RiskReport, 'beside'> {
  const level = highestRisk(findings.map((one) => one.level))
  return level === 'none' ? {} : { beside: level }
}

function needsOutside(decomposition: Decomposition | null): Pick<RiskReport, 'needsOutside'> {
  if (decomposition?.leavesRunning === true) return { needsOutside: 'background' }
  const terminal = decomposition?.parts.some(({ program }) => program !== null && CONTAINED.terminal.has(program))
  return terminal === true ? { needsOutside: 'terminal' } : {}
}

/** SECURITY: A32, reasons name programs and paths, and a secret may be in the place of a name. */
function coverReasons(reasons: readonly RiskReason[]): readonly RiskReason[] {
  return reasons.some(mayQuote) ? reasons.map(covered) : reasons
}

/** Reasons about a command quote it in backticks; all other words are our own. */
function mayQuote({ span, text }: RiskReason): boolean {
  return span === undefined || text.includes('`')
}

function covered(reason: RiskReason): RiskReason {
  const text = mayQuote(reason) ? coverSecrets(reason.text) : reason.text
  return text === reason.text ? reason : { ...reason, text }
}

/** The paths of the call itself and of every part. */
function allPaths(located: readonly LocatedPath[], parts: readonly RatedPart[]): readonly PathUse[] {
  const first = parts[0]
  if (located.length === 0 && parts.length === 1 && first !== undefined) return first.paths
  const paths = located.map(pathUse)
  // What a file of the project does to other files is judged with its part, and copied beforehand.
  for (const part of parts) if (part.command.origin === undefined) for (const path of part.paths) paths.push(path)
  return paths
}

/** The hosts of the call itself and of every part. */
function allHosts(own: readonly HostUse[], parts: readonly RatedPart[]): readonly HostUse[] {
  let hosts = own
  for (const part of parts)
    if (part.hosts.length > 0) hosts = hosts.length === 0 ? part.hosts : [...hosts, ...part.hosts]
  return hosts
}

function add(findings: RiskFinding[], one: RiskFinding | null): void {
  if (one !== null) findings.push(one)
}

const MEDIUM = riskRank('medium')

/** The highest level, and the least reversible effect of medium or higher. */
function worstOf(findings: readonly RiskFinding[]): Pick<RiskReport, 'level' | 'reversible'> {
  let level: RiskReport['level'] = 'none'
  let reversible: RiskReport['reversible'] = 'yes'
  for (const one of findings) {
    const rank = riskRank(one.level)
    if (rank > riskRank(level)) level = one.level
    if (rank >= MEDIUM) reversible = lessReversible(reversible, one.reversible)
  }
  return { level, reversible }
}

/** How much the worst finding affects, and its target: by default a path that the call changes. */
function blastRadius(
  findings: readonly RiskFinding[],
  paths: readonly PathUse[],
): Pick<RiskReport, 'magnitude' | 'target'> {
  let worst: RiskFinding | undefined
  for (const one of findings) {
    if (worst === undefined || riskRank(one.level) > riskRank(worst.level)) worst = one
    else if (one.level === worst.level && worst.extent === undefined && one.extent !== undefined) worst = one
  }
  const extent = worst?.extent
  const count = extent?.count
  const named = paths.length === 0 ? paths : changedOf(paths)
  const reach = extent?.reach ?? reachOf(named)
  return {
    magnitude: count === undefined ? { reach } : { reach, count },
    target: extent?.target ?? named[0]?.given ?? null,
  }
}

/** The changed paths; all paths if none is changed. */
function changedOf(paths: readonly PathUse[]): readonly PathUse[] {
  const changed: PathUse[] = []
  for (const path of paths) if (path.use === 'write' || path.use === 'delete') changed.push(path)
  return changed.length > 0 ? changed : paths
}

function reachOf(paths: readonly PathUse[]): RiskReport['magnitude']['reach'] {
  if (paths.length === 0) return 'unknown'
  for (const path of paths) if (path.within !== undefined) return 'several'
  return paths.length === 1 ? 'one' : 'several'
}

/** A call with exact words may also pass the path of the program to run. */
function rateExactProgram(
  { args, descriptor }: FrozenCall,
  { places, programs }: RiskCircumstances,
): RiskFinding | null {
  const name = descriptor.argv?.[0]
  const at = args !== null && typeof args === 'object' && 'program' in args ? args['program'] : undefined
  if (name === undefined || name.includes('/') || typeof at !== 'string' || !at.startsWith('/')) return null
  if (programs?.get(name) === at) return null // rated with its part
  return rateFoundProgram(name, at, places)
}

/** Worst first, without duplicates. */
function worstFirst(reasons: readonly RiskReason[]): readonly RiskReason[] {
  if (reasons.length < 2) return reasons
  const unique = reasons.length > MAX_REASONS ? distinct(reasons) : reasons.filter(isFirst)
  if (!isSorted(unique)) unique.sort((one, other) => riskRank(other.level) - riskRank(one.level))
  return unique.length > MAX_REASONS ? unique.slice(0, MAX_REASONS) : unique
}

function isSorted(reasons: readonly RiskReason[]): boolean {
  let before = riskRank('critical')
  for (const { level } of reasons) {
    const rank = riskRank(level)
    if (rank > before) return false
    before = rank
  }
  return true
}

function isFirst(reason: RiskReason, at: number, all: readonly RiskReason[]): boolean {
  for (let before = 0; before < at; before++) {
    const other = all[before]
    if (other?.text === reason.text && other.rule === reason.rule && other.span?.start === reason.span?.start)
      return false
  }
  return true
}

function distinct(reasons: readonly RiskReason[]): RiskReason[] {
  const seen = new Set<string>()
  return reasons.filter(({ rule, text, span }) => {
    const key = `${rule} ${text} ${span?.start ?? ''}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
