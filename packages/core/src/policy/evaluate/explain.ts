import type { FrozenCall } from '../../call/call.ts'
import { toolLabel } from '../../call/tool.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { effectOf, readingOf } from '../compile/compiled-rule.ts'
import { orderOf } from '../compile/specificity.ts'
import { compareRefs } from '../compile/verdict-contribution.ts'
import { type Case, type Unit, unitsOf } from '../match/call-unit.ts'
import { compileConditions, listConditions } from '../match/conditions.ts'
import { compileNameGlob } from '../match/glob.ts'
import { findGrant, findNamingGrant } from '../match/grant.ts'
import { type Answer, inverted, NO, UNKNOWN, YES } from '../match/three-valued-logic.ts'
import type { Circumstances } from '../model/circumstances.ts'
import { containmentText } from '../model/containment.ts'
import type { Rule } from '../model/rule.ts'
import { SUPERVISIONS, type Supervision } from '../model/supervision.ts'
import { type RuleRef, ruleWords, type Verdict } from '../model/verdict.ts'
import { isBounded } from './containment.ts'
import { evaluateCall, judgeUnit } from './evaluate.ts'
import { type NestedRequirement, nestedRequirements } from './nested-calls.ts'
import { statedVariants } from './stated-risk.ts'
import type { UnitGrants, UnitJudgement } from './unit-evaluator.ts'

/** What one rule did on one unit. */
export interface RuleExplanation {
  readonly rule: RuleRef
  readonly says: Supervision
  /** `floor` and `open` contributed without deciding; `ignored` is uncertain and would only loosen. */
  readonly outcome: 'won' | 'floor' | 'open' | 'lost' | 'ignored' | 'no-match'
  readonly why: string
}

/** One unit of a call (a simple command or a path) and the result of every rule. */
export interface UnitExplanation {
  /** A part of a command, a path, or the whole call. */
  readonly what: string
  readonly risk: RiskLevel
  readonly supervision: Supervision
  readonly decidedBy: RuleRef
  readonly reason: string
  readonly rules: readonly RuleExplanation[]
}

/** Why a call is supervised as it is: the rule that decided, and the result of every other rule. Plain data. */
export interface Explanation {
  readonly tool: string
  readonly risk: RiskLevel
  /** Reasons for the risk. */
  readonly riskReasons: readonly string[]
  /** The own rows that rated it, as `file:line`; absent: none. */
  readonly ownRows?: readonly string[]
  readonly verdict: Verdict
  /** The final supervision: the verdict plus raises by checks; `deny` if a check blocks the call. */
  readonly supervision: Supervision
  /** At most 100 units, the strictest ones. */
  readonly units: readonly UnitExplanation[]
  /** Number of further units, none of them stricter. */
  readonly moreUnits: number
}

/** INVARIANT: L10, each unit adds a line for every rule. */
const MOST_UNITS = 100

/** Explains the verdict of the same call, unit by unit. */
export function explainPolicy(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): Explanation {
  const about: Case = { call, risk, circumstances }
  const units = unitsOf(risk, isBounded(about, policy))
  const isGranted = findGrant(about, units) !== null
  const granted: UnitGrants = { isGranted: () => isGranted, naming: (use) => findNamingGrant(about, use) }
  const told = strictestOf(atStrictestLevel(units, about, policy, granted), about, policy, granted)
  const inner = nestedRequirements(call, risk, policy, circumstances)
  const verdict = evaluateCall(call, risk, policy, circumstances)
  return {
    tool: toolLabel(call.tool),
    risk: risk.level,
    riskReasons: risk.reasons.map((reason) => reason.text),
    verdict,
    supervision: verdict.supervision,
    units: [
      ...told.map((unit) => explainUnit(unit, about, policy, granted)),
      ...inner.slice(0, MOST_UNITS).map((demand) => explainInner(demand, risk)),
    ],
    moreUnits: units.length - told.length + Math.max(0, inner.length - MOST_UNITS),
  }
}

/** Each unit at the level that decides, between the rated one and the one that a rule states. */
function atStrictestLevel(units: readonly Unit[], about: Case, policy: Policy, granted: UnitGrants): readonly Unit[] {
  const variants = statedVariants(units, about, policy)
  if (variants.length === 1) return units
  return units.map((unit, at) => {
    const levels = variants.map((variant) => variant[at] ?? unit)
    const ranked = levels.map((one) => ({ one, rank: judgeUnit(one, about, policy, granted).rank }))
    return ranked.reduce((most, next) => (next.rank >= most.rank ? next : most)).one
  })
}

/** The units to show, in the order of the call. */
function strictestOf(units: readonly Unit[], about: Case, policy: Policy, granted: UnitGrants): readonly Unit[] {
  if (units.length <= MOST_UNITS) return units
  const ranked = units.map((unit, at) => ({ unit, at, rank: judgeUnit(unit, about, policy, granted).rank }))
  const strictest = ranked.toSorted((a, b) => b.rank - a.rank || a.at - b.at).slice(0, MOST_UNITS)
  return strictest.toSorted((a, b) => a.at - b.at).map(({ unit }) => unit)
}

function explainUnit(unit: Unit, about: Case, policy: Policy, granted: UnitGrants): UnitExplanation {
  const judgement = judgeUnit(unit, about, policy, granted)
  const weighed = policy.set.rules.map((rule) => weigh(rule, unit, about))
  const base = weighed.reduce<Weighed | null>(
    (best, one) => (isBase(one) && (best === null || one.order > best.order) ? one : best),
    null,
  )
  return {
    what: describeUnit(unit),
    risk: unit.level,
    supervision: SUPERVISIONS[judgement.rank] ?? 'deny',
    decidedBy: judgement.decider.rule,
    reason: judgement.granted
      ? `${judgement.decider.reason}; a grant replaces the confirmation`
      : `${judgement.decider.reason}${judgement.named === undefined ? '' : '; a grant names the host'}`,
    rules: weighed.map((one) => explainRule(one, judgement, base)),
  }
}

/** For a nested call, only what decided. */
function explainInner({ tool, judgement }: NestedRequirement, risk: RiskReport): UnitExplanation {
  const { decider } = judgement
  return {
    what: tool === null ? 'nested calls that were not checked' : `the nested call of ${tool}`,
    risk: risk.level,
    supervision: SUPERVISIONS[judgement.rank] ?? 'deny',
    decidedBy: decider.rule,
    reason: decider.reason,
    rules: [],
  }
}

interface Weighed {
  readonly rule: Rule
  readonly answer: Answer
  readonly order: number
  /** The condition that did not match. */
  readonly failed: string
}

function isBase(weighed: Weighed): boolean {
  return weighed.answer === YES && effectOf(weighed.rule) === 'base'
}

function weigh(rule: Rule, unit: Unit, about: Case): Weighed {
  const reading = readingOf(rule)
  const label = toolLabel(about.call.tool)
  const patterns = rule.when.tool?.filter((pattern) => compileNameGlob(pattern)(label)) ?? [null]
  const order = Math.max(...patterns.map((pattern) => orderOf(rule, pattern)))
  let answer: Answer = YES
  let failed = ''
  for (const { name, test } of listConditions(rule.when, reading)) {
    const one = test(unit, about)
    if (one < answer)
      failed = `its \`${name}\` ${one === NO ? 'does not match' : 'is uncertain'}: ${JSON.stringify(rule.when[name])}`
    if (one < answer) answer = one
  }
  if (rule.unless && answer !== NO) {
    const excepted = compileConditions(rule.unless, inverted(reading))(unit, about)
    if (excepted === YES) return { rule, answer: NO, order, failed: 'its `unless` matches' }
    if (excepted === UNKNOWN) return { rule, answer: UNKNOWN, order, failed: failed || 'its `unless` is uncertain' }
  }
  return { rule, answer, order, failed }
}

function explainRule(weighed: Weighed, judgement: UnitJudgement, base: Weighed | null): RuleExplanation {
  const { rule } = weighed
  const ref: RuleRef = { id: rule.id, layer: rule.layer, file: rule.file, line: rule.line }
  const said = { rule: ref, says: rule.supervision }
  const { decider } = judgement
  if (weighed.answer === NO) return { ...said, outcome: 'no-match', why: weighed.failed }
  if (compareRefs(decider.rule, ref) === 0) return { ...said, outcome: 'won', why: decider.reason }
  if (SUPERVISIONS[judgement.rank] === 'deny') {
    return { ...said, outcome: 'lost', why: `\`${decider.rule.id}\` denies, and a deny is final` }
  }
  if (weighed.answer === UNKNOWN) return { ...said, ...explainOpen(weighed) }
  if (effectOf(rule) === 'floor') return { ...said, outcome: 'floor', why: floorWords(rule) }
  return { ...said, outcome: 'lost', why: base === null ? decider.reason : whyLost(weighed, base, judgement) }
}

function floorWords({ supervision, raisesTo }: Rule): string {
  return raisesTo !== undefined && supervision === 'automatic'
    ? `rates it at least ${raisesTo}`
    : `requires at least ${supervision}`
}

function explainOpen({ rule, failed }: Weighed): Pick<RuleExplanation, 'outcome' | 'why'> {
  const tightens = effectOf(rule) !== 'base' || rule.supervision === 'confirm' || rule.supervision === 'manual'
  if (rule.layer === 'builtin') return { outcome: 'ignored', why: `${failed}; built-in rules ignore uncertain matches` }
  if (!tightens) return { outcome: 'ignored', why: `${failed}; an uncertain rule never loosens` }
  return {
    outcome: 'open',
    why: `${failed}; requires at least ${rule.supervision === 'deny' ? 'manual' : rule.supervision}`,
  }
}

function whyLost(weighed: Weighed, base: Weighed, judgement: UnitJudgement): string {
  const winner = `\`${base.rule.id}\``
  if (base.rule.layer !== weighed.rule.layer) return `${winner} is in a nearer layer (${base.rule.layer})`
  if (weighed.order === base.order) {
    const decides = compareRefs(judgement.decider.rule, base.rule) === 0
    return decides ? `agrees with ${winner}` : `applies, but \`${judgement.decider.rule.id}\` is stricter`
  }
  const strictnessAside = (one: Weighed): number => Math.floor(one.order / SUPERVISIONS.length)
  if (strictnessAside(weighed) === strictnessAside(base)) return `${winner} is equally specific and stricter`
  return `${winner} is more specific`
}

function describeUnit(unit: Unit): string {
  const path = unit.path === null ? '' : `${unit.path.use} ${unit.path.real ?? `${unit.path.given} (target unknown)`}`
  if (unit.part === null)
    return path || (unit.opaque ? 'the whole command, which could not be fully parsed' : 'the whole call')
  return path === '' ? unit.part.text : `${unit.part.text} (${path})`
}

const OUTCOMES: { readonly [outcome in RuleExplanation['outcome']]: string } = {
  won: 'won',
  floor: 'floor',
  open: 'open',
  lost: 'lost',
  ignored: 'ignored',
  'no-match': 'no match',
}

/** An explanation as lines of raw text, deciding rules first. Callers must escape it. */
export function formatExplanation(explanation: Explanation): readonly string[] {
  const { verdict, supervision, units, moreUnits, tool, risk, riskReasons, ownRows = [] } = explanation
  const lines = [`${tool}: ${verdict.supervision}, risk ${risk}, by ${ruleWords(verdict.rule)}`]
  for (const reason of verdict.reasons) lines.push(`  because ${reason}`)
  for (const reason of riskReasons) lines.push(`  risk ${risk}: ${reason}`)
  for (const row of ownRows) lines.push(`  rated by the row ${row}`)
  const where = containmentText(verdict.contain)
  if (where !== null) lines.push(`  runs ${where}`)
  if (verdict.checks.length > 0) lines.push(`  checks: ${verdict.checks.join(', ')}`)
  if (supervision !== verdict.supervision) lines.push(`  with the checks: ${supervision}`)
  for (const unit of units) {
    lines.push(`${unit.what}: ${unit.supervision}, risk ${unit.risk}, by ${ruleWords(unit.decidedBy)}`)
    const order = Object.keys(OUTCOMES)
    const rules = [...unit.rules].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
    for (const { rule, says, outcome, why } of rules) {
      lines.push(`  ${OUTCOMES[outcome].padEnd(8)} ${ruleWords(rule)} sets ${says}: ${why}`)
    }
  }
  if (moreUnits > 0) lines.push(`and ${moreUnits} more parts, none of them stricter`)
  return lines
}
