import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Conditions, PolicySet, Rule } from '../../policy/model/rule.ts'
import { type Supervision, strictest, supervisionRank } from '../../policy/model/supervision.ts'
import type { Approver } from '../../ports/approvers.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { RISK_LEVELS, type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { PastEffects } from './past-effects.ts'
import { rulesCode, type SignedRules } from './signed-rules.ts'

/** What a change of rules takes: as much as the strictest call that it could loosen. */
export interface RequiredAct {
  /** Some call could need less than before. */
  readonly loosens: boolean
  /** The short code and a reason, as for a manual call. */
  readonly typed: boolean
  /** Only a passkey can sign it. */
  readonly passkey: boolean
}

/** One way in which calls may be loosened: from what, at which risk at most. */
interface Loosening {
  readonly from: Supervision
  readonly risk: RiskLevel
}

/**
 * The act that a change from one policy to another takes. Rules are compared, not only past calls: what a rule could loosen
 * counts, whether or not it happened yet. When in doubt, more is asked for.
 */
export function requiredAct(
  before: PolicySet,
  after: PolicySet,
  { changed }: Pick<PastEffects, 'changed'>,
): RequiredAct {
  const [added, removed] = [newRules(before, after), newRules(after, before)]
  const loosened: readonly Loosening[] = [
    ...added.flatMap((rule) => loosenedBy(rule, before)),
    ...removed
      .filter((rule) => !added.some((other) => isAsStrict(other, rule)))
      .flatMap((rule) => loosenedWithout(rule, after)),
    ...changed
      .filter((one) => supervisionRank(one.after) < supervisionRank(one.before))
      .map((one) => ({ from: one.before, risk: one.risk })),
  ]
  const isOutside = added.some(({ contain }) => contain === false || (contain?.credentials.length ?? 0) > 0)
  const from = strictest(loosened.map((one) => one.from))
  return {
    loosens: loosened.length > 0 || isOutside,
    typed: isOutside || supervisionRank(from) >= supervisionRank('manual'),
    passkey: loosened.some((one) => needsPasskey(one, before)),
  }
}

function needsPasskey({ from, risk }: Loosening, { passkeyFrom }: PolicySet): boolean {
  if (passkeyFrom === undefined || supervisionRank(from) < supervisionRank('confirm')) return false
  return riskRank(risk) >= riskRank(passkeyFrom)
}

/** A floor or a deny only tightens. Any other rule may take the place of the preset's row, and of wider rules. */
function loosenedBy(rule: Rule, { row, rules }: PolicySet): readonly Loosening[] {
  if (rule.floor || rule.supervision === 'deny') return []
  const isUnasked = supervisionRank(rule.supervision) < supervisionRank('confirm')
  const reached = RISK_LEVELS.filter((level) => !isUnasked || riskRank(level) <= riskRank(rule.upTo))
  const highest = reached.at(-1) ?? 'none'
  const isLooserThan = (other: Supervision): boolean => supervisionRank(rule.supervision) < supervisionRank(other)
  const byRow = reached.flatMap((risk) => (isLooserThan(row.byRisk[risk]) ? [{ from: row.byRisk[risk], risk }] : []))
  const undescribed = isLooserThan(row.undescribed) ? [{ from: row.undescribed, risk: highest }] : []
  const overridden = rules.filter(
    (other) =>
      !other.floor && other.supervision !== 'deny' && isLooserThan(other.supervision) && mayMeet(rule.when, other.when),
  )
  return [...byRow, ...undescribed, ...overridden.map(({ supervision }) => ({ from: supervision, risk: highest }))]
}

/** Whether a rule takes the place of another for the same calls, and asks for as much. */
function isAsStrict(rule: Rule, replaced: Rule): boolean {
  const about = ({ when, unless }: Rule): string => canonicalJson({ when, unless } as unknown as Json)
  if (about(rule) !== about(replaced) || (replaced.floor && !rule.floor && rule.supervision !== 'deny')) return false
  return supervisionRank(rule.supervision) >= supervisionRank(replaced.supervision)
}

/** What follows when a rule is gone: the preset's row, and every other rule that its calls may match. */
function loosenedWithout({ supervision: from, when }: Rule, { row, rules }: PolicySet): readonly Loosening[] {
  const isLooser = (other: Supervision): boolean => supervisionRank(other) < supervisionRank(from)
  const others = rules.filter((other) => !other.floor && isLooser(other.supervision) && mayMeet(when, other.when))
  return [
    ...RISK_LEVELS.filter((risk) => isLooser(row.byRisk[risk])).map((risk) => ({ from, risk })),
    ...(isLooser(row.undescribed) ? [{ from, risk: 'medium' as const }] : []),
    ...others.map(({ upTo }) => ({ from, risk: upTo })),
  ]
}

/** Whether one call could match both: false only where names rule it out. */
export function mayMeet(one: Conditions, other: Conditions): boolean {
  const areApart = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
    a !== undefined &&
    b !== undefined &&
    ![...a, ...b].some((name) => /[*?[{!]/.test(name)) &&
    !a.some((name) => b.includes(name))
  if (areApart(one.tool, other.tool) || areApart(one.kind, other.kind) || areApart(one.server, other.server))
    return false
  return !areApart(one.command?.program, other.command?.program) && !areApart(one.command?.verb, other.command?.verb)
}

/** The rules of one policy that another does not have. */
export function newRules(before: PolicySet, after: PolicySet): readonly Rule[] {
  const known = keysOf(before.rules)
  return after.rules.filter((rule) => !known.has(keyOf(rule)))
}

function keysOf(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.map(keyOf))
}

/** A rule without its name and place. */
function keyOf({ id: _, line: __, file: ___, ...rule }: Rule): string {
  return canonicalJson(rule as unknown as Json)
}

/** Throws unless the act was done: the code of exactly this change with a reason, and a passkey where one is required. */
export function checkAct(
  signed: SignedRules,
  { typed, passkey }: RequiredAct,
  approver: Approver,
  crypto: Pick<Crypto, 'sha256'>,
): void {
  if (passkey && approver.kind !== 'passkey')
    throw new CountersignError(
      'CS_DECISION_PASSKEY',
      'this loosens calls that only a passkey can approve; change it in the inbox with a passkey',
    )
  if (!typed) return
  if (signed.code !== rulesCode(signed, crypto))
    throw new CountersignError('CS_DECISION_CODE', 'type the code that is shown with the change')
  if (!signed.reason?.trim())
    throw new CountersignError('CS_DECISION_CODE', 'give a reason: this loosens calls under manual supervision')
}
