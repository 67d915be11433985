import type { FrozenCall } from '../../call/call.ts'
import { highestRisk, RISK_LEVELS, type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { RatedPart, RiskReason, RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import type { RaisingRule } from '../compile/raising-rule.ts'
import { type Case, type Unit, unitsOf } from '../match/call-unit.ts'
import { NO } from '../match/three-valued-logic.ts'
import type { Circumstances } from '../model/circumstances.ts'

/** The rules with `raises_to` that raise this unit. They see the rated level, so that their order does not matter. */
function raisingRules(unit: Unit, about: Case, { raising }: Policy): readonly RaisingRule[] {
  return raising.filter((rule) => rule.rank > riskRank(unit.level) && rule.applies(unit, about) !== NO)
}

function highest(rules: readonly RaisingRule[]): number {
  return rules.reduce((most, { rank }) => Math.max(most, rank), -1)
}

/**
 * The units of a call at every level from the rated one to the one that rules state. INVARIANT: L4 L9, the strictest answer
 * counts, so that stating a higher level never loosens anything, whatever other rules say about `risk`.
 */
export function statedVariants(units: readonly Unit[], about: Case, policy: Policy): readonly (readonly Unit[])[] {
  if (policy.raising.length === 0) return [units]
  const stated = units.map((unit) => highest(raisingRules(unit, about, policy)))
  const most = Math.max(...stated)
  const levels = RISK_LEVELS.filter((_, rank) => rank > 0 && rank <= most)
  return [
    units,
    ...levels.map((_, at) => units.map((unit, index) => raisedUnit(unit, Math.min(stated[index] ?? -1, at + 1)))),
  ]
}

function raisedUnit(unit: Unit, rank: number): Unit {
  const level = RISK_LEVELS[rank]
  if (level === undefined || rank <= riskRank(unit.rowLevel)) return unit
  return { ...unit, level: highestRisk([unit.level, level]), rowLevel: highestRisk([unit.rowLevel, level]) }
}

/** The report with the levels that rules state, for everyone who shows or records it. */
export function withStatedRisk(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): RiskReport {
  if (policy.raising.length === 0) return risk
  const about: Case = { call, risk, circumstances }
  const found = unitsOf(risk).map((unit) => ({ unit, rules: raisingRules(unit, about, policy) }))
  const rules = [...new Set(found.flatMap((one) => one.rules))]
  if (rules.length === 0) return risk
  const parts = risk.parts.map((part) => {
    const own = found.filter(({ unit }) => unit.part === part.command).flatMap((one) => one.rules)
    return raisedPart(part, RISK_LEVELS[highest(own)])
  })
  const level = highestRisk([risk.level, RISK_LEVELS[highest(rules)] ?? 'none'])
  const reasons = policy.raising.filter((rule) => rules.includes(rule)).map(reasonOf)
  const all = [...reasons, ...risk.reasons].toSorted((a, b) => riskRank(b.level) - riskRank(a.level))
  return { ...risk, level, rated: risk.level, parts, reasons: all }
}

function raisedPart(part: RatedPart, level: RiskLevel | undefined): RatedPart {
  if (level === undefined) return part
  return { ...part, level: highestRisk([part.level, level]), rated: part.level }
}

function reasonOf({ source, level }: RaisingRule): RiskReason {
  const because = source.reason === null ? '' : `: ${source.reason}`
  return { level, rule: 'policy.raises_to', text: `the rule \`${source.id}\` rates it ${level}${because}` }
}
