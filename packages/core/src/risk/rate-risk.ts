import type { FrozenCall } from '../call/call.ts'
import type { Decomposition } from '../command/decomposition.ts'
import { claimsApproval, longestList } from './claims.ts'
import { extentOf } from './extent.ts'
import { finding, leastReversible, type RiskFinding } from './finding.ts'
import { rateFoundProgram } from './found-program.ts'
import { highestRisk, RISK_LEVELS, type RiskLevel, riskRank } from './level.ts'
import { rateCommand } from './rate-command.ts'
import { ratePath } from './rate-path.ts'
import { callPaths, rateAnnotations, rateTool } from './rate-tool.ts'
import { pathUse, type RiskCircumstances } from './rated-path.ts'
import type { RiskReason, RiskReport } from './report.ts'

/** Items in one list above which a call counts as touching many things. */
const MANY = 100

/** Reasons kept in a report, the worst first. */
const MAX_REASONS = 32

/**
 * Rates how bad a call could get. Pure: the same inputs always give the same report. Errs high: what is not known
 * is never rated as if it were harmless, and nothing an agent or a server says lowers a level.
 */
export function rateRisk(
  call: FrozenCall,
  decomposition: Decomposition | null,
  circumstances: RiskCircumstances,
): RiskReport {
  const command = decomposition === null ? null : rateCommand(decomposition, call.cwd, circumstances)
  const located = callPaths(call, circumstances)
  const findings: RiskFinding[] = command === null ? [...rateTool(call, located, circumstances)] : [...command.findings]
  const spanless = command === null ? [...findings] : []
  const add = (one: RiskFinding | null) => {
    if (one === null) return
    findings.push(one)
    spanless.push(one)
  }
  if (command !== null) for (const path of located) add(ratePath(path, circumstances.places))
  add(rateExactProgram(call, circumstances))
  add(rateAnnotations(call, findings))
  if (claimsApproval(call)) add(finding('medium', 'said.claims-approval', 'claims that a permission was already given'))
  if (longestList(call.args) > MANY)
    add(finding(oneHigher(findings), 'tool.many', `touches more than ${MANY} things at once`))
  const reasons: RiskReason[] = [...(command?.reasons ?? [])]
  for (const { level, rule, text } of spanless) if (level !== 'none') reasons.push({ level, rule, text })
  const paths = located.map(pathUse)
  return {
    level: highestRisk(findings.map((one) => one.level)),
    reversible: leastReversible(
      findings.filter((one) => riskRank(one.level) >= riskRank('medium')).map((one) => one.reversible),
    ),
    ...extentOf(findings, [...paths, ...(command?.parts ?? []).flatMap((part) => part.paths)]),
    reasons: worstFirst(reasons),
    paths: [...paths, ...(command?.parts ?? []).flatMap((part) => part.paths)],
    parts: command?.parts ?? [],
    understood: command?.understood ?? true,
  }
}

/** Exact words may come with the path of the program that will run. */
function rateExactProgram(
  { args, descriptor }: FrozenCall,
  { places, programs }: RiskCircumstances,
): RiskFinding | null {
  const [name] = descriptor.argv ?? []
  const at = args !== null && typeof args === 'object' && 'program' in args ? args['program'] : undefined
  if (name === undefined || name.includes('/') || typeof at !== 'string' || !at.startsWith('/')) return null
  if (programs?.get(name) === at) return null // rated with its part
  return rateFoundProgram(name, at, places)
}

function oneHigher(findings: readonly RiskFinding[]): RiskLevel {
  const rank = riskRank(highestRisk(findings.map((one) => one.level)))
  return RISK_LEVELS[Math.min(rank + 1, RISK_LEVELS.length - 1)] ?? 'critical'
}

function worstFirst(reasons: readonly RiskReason[]): readonly RiskReason[] {
  if (reasons.length < 2) return reasons
  const seen = new Set<string>()
  const unique = reasons.filter(({ rule, text, span }) => {
    const key = `${rule} ${text} ${span?.start ?? ''}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return unique.sort((one, other) => riskRank(other.level) - riskRank(one.level)).slice(0, MAX_REASONS)
}
