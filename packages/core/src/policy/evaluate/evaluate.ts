import type { FrozenCall } from '../../call/call.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { type Contribution, compareRefs, grantReason, limitContribution } from '../compile/verdict-contribution.ts'
import { type Case, onlyUnit, type Unit, unitsOf } from '../match/call-unit.ts'
import { findGrant, findNamingGrant } from '../match/grant.ts'
import { mergeSettings } from '../model/builtin-checks.ts'
import type { Circumstances } from '../model/circumstances.ts'
import { limitPassed } from '../model/limits.ts'
import type { Limit } from '../model/rule.ts'
import { SUPERVISIONS, supervisionRank } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { withAgentPrompt } from './agent-prompt.ts'
import { isBounded, withContainment } from './containment.ts'
import { measureCall } from './limit-usage.ts'
import { type NestedRequirement, nestedRequirements } from './nested-calls.ts'
import { withPresetChecks } from './preset-checks.ts'
import { statedVariants } from './stated-risk.ts'
import { NO_GRANTS, UnitEvaluator, type UnitGrants, type UnitJudgement } from './unit-evaluator.ts'
import { withUnseen } from './unseen-changes.ts'

const CONFIRM = supervisionRank('confirm')
const DENY = supervisionRank('deny')

/** Decides how closely one call is supervised. Pure: the same inputs always give the same verdict. */
export function evaluatePolicy(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): Verdict {
  return withPresetChecks(evaluateRules(call, risk, policy, circumstances), risk, policy.set.row)
}

function evaluateRules(call: FrozenCall, risk: RiskReport, policy: Policy, circumstances: Circumstances): Verdict {
  const about: Case = { call, risk, circumstances }
  const limit = policy.limits.length === 0 ? null : passedLimit(about, policy)
  const simple = limit === null && circumstances.grants.length === 0 ? onlyUnit(risk) : null
  if (simple) return strictestVariant([simple], about, policy, (units) => evaluateOnly(units, about, policy))
  const units = unitsOf(risk, isBounded(about, policy))
  let grant: string | null | undefined
  // A grant is found by the rated levels: what a rule states makes no grant apply.
  const grants: UnitGrants = {
    isGranted() {
      if (grant === undefined) grant = findGrant(about, units)
      return grant !== null
    },
    naming: (use) => findNamingGrant(about, use),
  }
  return strictestVariant(units, about, policy, (variant) => {
    const judgements = variant.map((unit) => judgeUnit(unit, about, policy, grants))
    const [first] = judgements
    const isSimple = first !== undefined && limit === null && judgements.every((one) => isSameAlone(one, first))
    const verdict = isSimple ? simpleVerdict(first, policy) : fullVerdict(judgements, policy, grant ?? null, limit)
    return placedVerdict(verdict, variant, judgements, about, policy)
  })
}

function evaluateOnly(units: readonly Unit[], about: Case, policy: Policy): Verdict {
  const judgements = units.map((unit) => judgeUnit(unit, about, policy, NO_GRANTS))
  const [only] = judgements
  const verdict = only?.others.length === 0 ? simpleVerdict(only, policy) : fullVerdict(judgements, policy, null, null)
  return placedVerdict(verdict, units, judgements, about, policy)
}

/** The verdict with who is asked, where the command runs, and what it could load. */
function placedVerdict(
  verdict: Verdict,
  units: readonly Unit[],
  judgements: readonly UnitJudgement[],
  about: Case,
  policy: Policy,
): Verdict {
  const asked = withAgentPrompt(verdict, about, policy)
  return withUnseen(withContainment(asked, units, judgements, about, policy), units, judgements, about, policy)
}

/** The strictest verdict on the call at every level from the rated one to the one that rules state. */
function strictestVariant(
  units: readonly Unit[],
  about: Case,
  policy: Policy,
  judge: (units: readonly Unit[]) => Verdict,
): Verdict {
  const [rated = units, ...more] = statedVariants(units, about, policy)
  return more.map(judge).reduce(stricter, judge(rated))
}

/** INVARIANT: L4, of two that are equally strict, the one at the rated level says where a command runs. */
function stricter(one: Verdict, other: Verdict): Verdict {
  const isStricter = supervisionRank(other.supervision) > supervisionRank(one.supervision)
  const [winner, loser] = isStricter ? [other, one] : [one, other]
  if (winner.supervision === 'deny') return winner
  const known = new Set(winner.contributors.map(refKey))
  return {
    ...winner,
    contributors: [...winner.contributors, ...loser.contributors.filter((rule) => !known.has(refKey(rule)))],
    checks: [...new Set([...winner.checks, ...loser.checks])].sort(),
    settings: mergeSettings([winner.settings, loser.settings]),
    timeoutMs: Math.min(winner.timeoutMs, loser.timeoutMs),
  }
}

function refKey({ id, layer, file, line }: Verdict['rule']): string {
  return JSON.stringify([id, layer, file, line])
}

/** Whether both units have the same decider and no other contributor. */
function isSameAlone(one: UnitJudgement, { decider, rank }: UnitJudgement): boolean {
  return (
    one.decider === decider && one.rank === rank && one.others.length === 0 && !one.granted && one.named === undefined
  )
}

/** Judges one unit on its own. */
export function judgeUnit(unit: Unit, about: Case, policy: Policy, grants: UnitGrants): UnitJudgement {
  const evaluator = new UnitEvaluator(unit, about)
  for (const bucket of policy.index.bucketsOf(about.call.tool)) bucket.find(unit, about.call.args, evaluator)
  return evaluator.settle(policy, grants)
}

/** The first limit this call would exceed: counted uses plus what the call adds. */
function passedLimit(about: Case, policy: Policy): Limit | null {
  return limitPassed(policy.limits, about.circumstances.counters, measureCall(about.call, about.risk))
}

function simpleVerdict(judgement: UnitJudgement, policy: Policy): Verdict {
  const { decider } = judgement
  return {
    supervision: SUPERVISIONS[judgement.rank] ?? 'deny',
    rule: decider.rule,
    condition: decider.condition,
    contributors: decider.alone.contributors,
    reasons: decider.alone.reasons,
    checks: decider.checks,
    settings: decider.settings,
    timeoutMs: decider.timeoutMs ?? policy.timeoutMs,
    policyHash: policy.hash,
    grant: null,
    limit: null,
  }
}

/** The strictest unit decides. All contributors of such units are named, in an order independent of the rules'. */
function fullVerdict(
  units: readonly UnitJudgement[],
  policy: Policy,
  grant: string | null,
  limit: Limit | null,
): Verdict {
  const strictest = units.reduce((most, unit) => (unit.rank > most.rank ? unit : most))
  const denied = strictest.rank === DENY
  const limited = limit !== null && !denied ? limitContribution(limit) : null
  const rank = limited ? Math.max(strictest.rank, CONFIRM) : strictest.rank
  const decider = limited && strictest.rank < CONFIRM ? limited : strictest.decider
  const answering = denied ? units.filter((unit) => unit.rank === DENY) : units
  const all = [decider, ...answering.flatMap((unit) => [unit.decider, ...unit.others]), ...(limited ? [limited] : [])]
  const setters = units.filter((unit) => unit.rank === strictest.rank)
  const contributions = distinct([
    decider,
    ...setters.flatMap((unit) => [unit.decider, ...unit.others]),
    ...(limited ? [limited] : []),
  ])
  const used = rank < CONFIRM ? usedGrant(units, grant) : null
  const timeouts = all.flatMap((contribution) => contribution.timeoutMs ?? [])
  return {
    supervision: SUPERVISIONS[rank] ?? 'deny',
    rule: decider.rule,
    condition: decider.condition,
    contributors: contributions.map((contribution) => contribution.rule),
    reasons: [
      ...contributions.filter((one) => one === decider || matters(one, rank)).map(({ reason }) => reason),
      ...(used === null ? [] : [grantReason(used)]),
    ],
    checks: [...new Set(all.flatMap((contribution) => contribution.checks))].sort(),
    settings: mergeSettings(all.map((contribution) => contribution.settings)),
    timeoutMs: timeouts.length === 0 ? policy.timeoutMs : timeouts.reduce((a, b) => Math.min(a, b)),
    policyHash: policy.hash,
    grant: used,
    limit: limit?.name ?? null,
  }
}

/** The grant that replaced the confirmation, else the one that named a host. */
function usedGrant(units: readonly UnitJudgement[], grant: string | null): string | null {
  if (units.some((unit) => unit.granted)) return grant
  return units.find((unit) => unit.named !== undefined)?.named ?? null
}

/** What allows a call, with or without a notice, is no reason to ask about it. */
function matters({ requires }: Contribution, rank: number): boolean {
  return requires === null || rank < CONFIRM || supervisionRank(requires) >= CONFIRM
}

/** Keeps the first contribution first, sorts the rest by name, and removes duplicates. */
function distinct(contributions: readonly Contribution[]): readonly Contribution[] {
  const [first, ...rest] = contributions
  if (first === undefined) return []
  const kept = [first]
  const sorted = rest.sort(
    (a, b) => compareRefs(a.rule, b.rule) || (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0),
  )
  for (const contribution of sorted) {
    if (!kept.some((one) => compareRefs(one.rule, contribution.rule) === 0 && one.reason === contribution.reason))
      kept.push(contribution)
  }
  return kept
}

/**
 * Decides how closely one call is supervised, including the calls it makes: a rule for a tool also applies to that tool
 * inside a batch or behind `invoke_tool`. INVARIANT: L2 L9, nested calls only raise.
 */
export function evaluateCall(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): Verdict {
  const verdict = evaluatePolicy(call, risk, policy, circumstances)
  if (verdict.supervision === 'deny') return verdict
  return nestedRequirements(call, risk, policy, circumstances).reduce(raised, verdict)
}

function raised(verdict: Verdict, { tool, judgement }: NestedRequirement): Verdict {
  if (judgement.rank <= supervisionRank(verdict.supervision)) return verdict
  const { decider, others } = judgement
  const reason = tool === null ? decider.reason : `it calls \`${tool}\`, and ${decider.reason}`
  const contributions = [decider, ...others]
  const timeouts = contributions.flatMap((contribution) => contribution.timeoutMs ?? [])
  return {
    ...verdict,
    supervision: SUPERVISIONS[judgement.rank] ?? 'deny',
    rule: decider.rule,
    condition: decider.condition,
    contributors: [...contributions.map((contribution) => contribution.rule), ...verdict.contributors],
    reasons: [reason, ...verdict.reasons],
    timeoutMs: Math.min(verdict.timeoutMs, ...timeouts),
    grant: null,
  }
}
