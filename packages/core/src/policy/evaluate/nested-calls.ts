import type { FrozenCall } from '../../call/call.ts'
import { toolLabel } from '../../call/tool.ts'
import { makesCalls } from '../../risk/nested-calls/finder.ts'
import { type InnerReading, innerReadings } from '../../risk/nested-calls/interpretations.ts'
import { rateRisk } from '../../risk/rate-risk.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { countsUnseen } from '../compile/compiled-rule.ts'
import { uncheckedCallsContribution } from '../compile/verdict-contribution.ts'
import { type Case, unitsOf } from '../match/call-unit.ts'
import type { Circumstances } from '../model/circumstances.ts'
import { SUPERVISIONS, supervisionRank } from '../model/supervision.ts'
import { statedVariants } from './stated-risk.ts'
import { UnitEvaluator, type UnitJudgement } from './unit-evaluator.ts'

/** What the rules demand for a call that another one makes. */
export interface NestedRequirement {
  /** `server/name` of the call inside; null for those that were not looked at. */
  readonly tool: string | null
  readonly judgement: UnitJudgement
}

const CONFIRM = supervisionRank('confirm')
const MANUAL = supervisionRank('manual')

interface Remembered {
  readonly risk: RiskReport
  readonly policy: Policy
  readonly ungranted: Circumstances
  readonly demands: readonly NestedRequirement[]
}

const REMEMBERED = new WeakMap<FrozenCall, Remembered>()

/**
 * What the rules demand for the calls inside; most calls have none. No grant speaks for them, so that it is the same
 * whatever a grant that is weighed or offered would say: it is worked out once.
 */
export function nestedRequirements(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): readonly NestedRequirement[] {
  if (isShell(call)) return []
  const ungranted = { ...circumstances, grants: [] }
  const known = REMEMBERED.get(call)
  if (known?.policy === policy && known.risk === risk && isSame(known.ungranted, ungranted)) return known.demands
  const demands = workOut(call, risk, policy, ungranted)
  REMEMBERED.set(call, { risk, policy, ungranted, demands })
  return demands
}

/** A shell that is known by its name is its command and nothing more. */
export function isShell({ descriptor }: FrozenCall): boolean {
  return descriptor.source === 'known' && descriptor.command !== undefined
}

function isSame(one: Circumstances, other: Circumstances): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Circumstances>
  return [...names].every((name) => name === 'grants' || one[name] === other[name])
}

function workOut(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  ungranted: Circumstances,
): readonly NestedRequirement[] {
  const { readings, missed, unread } = innerReadings(call)
  const demands = readings.flatMap((reading): readonly NestedRequirement[] => {
    const made: FrozenCall = { ...call, ...reading.call }
    const judgement = demandOf(made, rateReading(made, reading, risk.rated ?? risk.level, ungranted), policy, ungranted)
    return judgement === null ? [] : [{ tool: toolLabel(made.tool), judgement }]
  })
  const unseen = missed === 'beyond' ? 'calls' : unread
  const asked = unseen === 'nothing' ? 0 : unseen === 'calls' ? strictestOf(policy) : strictestFor(readings, policy)
  const rank = Math.min(asked, MANUAL)
  if (rank < CONFIRM) return demands
  const decider = uncheckedCallsContribution(
    SUPERVISIONS[rank] ?? 'manual',
    missed === 'beyond' ? 'calls' : 'arguments',
  )
  return [...demands, { tool: null, judgement: { rank, decider, others: [], granted: false } }]
}

/** Of calls that were not looked at no rule can be ruled out: what the strictest would ask for holds, as far as a person. */
function strictestOf(policy: Policy): number {
  return policy.set.rules
    .filter(countsUnseen)
    .reduce((most, { supervision }) => Math.max(most, supervisionRank(supervision)), 0)
}

/** Of arguments that cannot be read, no rule can be ruled out that the names inside may fall under. */
function strictestFor(readings: readonly InnerReading[], policy: Policy): number {
  const buckets = new Set(readings.flatMap(({ call }) => policy.index.bucketsOf(call.tool)))
  return [...buckets].reduce((most, { strictest }) => Math.max(most, strictest), 0)
}

/** One that makes calls in its turn is as bad as the outermost, which was rated with all of them. */
function rateReading(
  made: FrozenCall,
  { command }: InnerReading,
  outermost: RiskLevel,
  now: Circumstances,
): RiskReport {
  const own = rateRisk(made, command, now, 1)
  return riskRank(outermost) > riskRank(own.level) && makesCalls(made) ? { ...own, level: outermost } : own
}

/** Units without a preset's row: how bad it is was rated with the whole call. */
function demandOf(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): UnitJudgement | null {
  let most: UnitJudgement | null = null
  const buckets = policy.index.bucketsOf(call.tool)
  const about: Case = { call, risk, circumstances }
  for (const [at, units] of statedVariants(unitsOf(risk), about, policy).entries()) {
    for (const unit of units) {
      const evaluator = new UnitEvaluator(unit, about)
      for (const bucket of buckets) bucket.find(unit, call.args, evaluator)
      // What a rule states was not rated with the whole call, so the preset answers it here.
      const judgement = evaluator.demand(policy, at > 0)
      if (judgement !== null && judgement.rank > (most?.rank ?? -1)) most = judgement
    }
  }
  return most
}
