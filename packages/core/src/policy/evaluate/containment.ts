import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { whyUnproven } from '../../risk/proof/unproven.ts'
import type { RatedPart, RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { boundsReason, uncontainedContribution, type WhyOutside } from '../compile/verdict-contribution.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import { resolveFolder } from '../match/folder.ts'
import { grantedBounds } from '../match/grant.ts'
import type { Circumstances } from '../model/circumstances.ts'
import { type Bounds, NO_BOUNDS, type RuleBounds } from '../model/containment.ts'
import { SUPERVISIONS, supervisionRank } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { contactedHosts } from './first-contact.ts'
import type { UnitJudgement } from './unit-evaluator.ts'

const CONFIRM = supervisionRank('confirm')

/** Whether the call is a shell command or a program with arguments. */
export function isCommand({ call, risk }: Case): boolean {
  const { command, argv } = call.descriptor
  return risk.parts.length > 0 || command !== undefined || argv !== undefined
}

/** Whether an unasked run of this call would be inside the sandbox: then only what the sandbox leaves open is judged. */
export function wouldBeContained(about: Case, { set }: Policy): boolean {
  const { call, risk, circumstances } = about
  return (
    circumstances.sandbox === 'works' &&
    call.containable &&
    !call.outside &&
    risk.needsOutside === undefined &&
    set.row.contained !== 'never' &&
    isCommand(about)
  )
}

/** Whether its changes are bounded to the workspace, by the sandbox or by what its words prove. */
export function isBounded(about: Case, policy: Policy): boolean {
  return wouldBeContained(about, policy) || (isCommand(about) && !about.call.outside && isProvenEnough(about, policy))
}

/**
 * Decides where a command runs. INVARIANT: L11, what no person approved runs inside the sandbox, or is proven word by word,
 * or runs outside by the person's own rule or the preset `classic`; anything else asks.
 */
export function withContainment(
  verdict: Verdict,
  units: readonly Unit[],
  judgements: readonly UnitJudgement[],
  about: Case,
  policy: Policy,
): Verdict {
  if (!isCommand(about)) return verdict
  const placed = withPlace(verdict, units, judgements, about, policy)
  const { uncontained } = about.call
  if (uncontained === null || about.circumstances.sandbox !== 'works') return placed
  // The last reason is the grant's, if there is one.
  const at = placed.grant === null ? placed.reasons.length : placed.reasons.length - 1
  return { ...placed, reasons: placed.reasons.toSpliced(at, 0, `not in the sandbox: ${uncontained}`) }
}

/** The verdict with where the command runs. */
function withPlace(
  verdict: Verdict,
  units: readonly Unit[],
  judgements: readonly UnitJudgement[],
  about: Case,
  policy: Policy,
): Verdict {
  const { row } = policy.set
  const given = givenBounds(units, judgements, about)
  // Whoever can't contain a command runs it outside, and the card must not say otherwise.
  const isExplicit = about.call.containable && given !== null && given !== 'outside'
  const explicit = isExplicit ? boundsOf(given, about) : null
  const isAsked = supervisionRank(verdict.supervision) >= CONFIRM
  const isFree =
    row.contained === 'never' ||
    given === 'outside' ||
    (!isAsked && raisedRank(policy) === CONFIRM && isExactGrant(verdict, about.circumstances, explicit))
  const why = isFree ? null : whyNot(about, policy)
  // INVARIANT: L4, a rule that asks about such commands must not make them looser than the preset's answer.
  if (why !== null && supervisionRank(verdict.supervision) < raisedRank(policy))
    return raised(verdict, why, about, policy)
  if (isAsked) return { ...verdict, contain: explicit }
  // A grant for exactly these arguments, without bounds, is a person's approval of this very call, where it was shown to run.
  if (isFree) return { ...verdict, contain: given === 'outside' || row.contained === 'never' ? null : explicit }
  if (wouldBeContained(about, policy)) return contained(verdict, given ?? NO_BOUNDS, units, about)
  return { ...verdict, contain: null }
}

/** Why a command must not run unasked; null if it may, in the sandbox or because its words prove what it does. */
function whyNot(about: Case, policy: Policy): WhyOutside | null {
  const { call, risk } = about
  if (mixesHostsWithCode(risk)) return 'mixed'
  const isEnough = isProvenEnough(about, policy)
  if (wouldBeContained(about, policy)) return policy.set.row.contained === 'any' || isEnough ? null : 'unproven'
  if (call.outside) return 'asked'
  return risk.needsOutside ?? (isEnough ? null : 'no-sandbox')
}

/** In the sandbox, with what rules and grants add to it. */
function contained(verdict: Verdict, given: RuleBounds, units: readonly Unit[], about: Case): Verdict {
  const granted = grantedBounds(about, units, onlyReads(about.risk))
  if (granted === null) return { ...verdict, contain: boundsOf(given, about) }
  const both = (key: keyof RuleBounds) => [...new Set([...given[key], ...granted.bounds[key]])]
  const bounds = {
    write: both('write'),
    read: both('read'),
    network: both('network'),
    credentials: both('credentials'),
  }
  const contain = boundsOf(bounds, about)
  if (verdict.grant !== null) return { ...verdict, contain }
  return { ...verdict, contain, grant: granted.grant, reasons: [...verdict.reasons, boundsReason(granted.grant)] }
}

/** The preset's answer at low risk: `read-only` denies, the others ask. */
function raisedRank({ row }: Policy): number {
  return Math.max(CONFIRM, row[1]?.rank ?? CONFIRM)
}

function raised(verdict: Verdict, why: WhyOutside, { risk }: Case, policy: Policy): Verdict {
  const { rule, reason } = uncontainedContribution(why, whyUnproven(risk))
  const rank = raisedRank(policy)
  return {
    ...verdict,
    supervision: SUPERVISIONS[rank] ?? 'deny',
    rule,
    condition: null,
    contributors: [rule, ...verdict.contributors],
    // What would have let it run is no reason to ask.
    reasons: supervisionRank(verdict.supervision) >= CONFIRM ? [reason, ...verdict.reasons] : [reason],
    grant: null,
    contain: null,
  }
}

/** INVARIANT: L11, a policy that changed since does not take a command out of the sandbox that the grant's card showed. */
function isExactGrant({ grant }: Verdict, { grants }: Circumstances, explicit: Bounds | null): boolean {
  const given = grants.find(({ id, scope, bounds }) => id === grant && scope.kind === 'exact' && bounds === undefined)
  if (given === undefined) return false
  return canonicalJson((given.contain ?? null) as Json) === canonicalJson(explicit as unknown as Json)
}

/** Whether the person's rules run the whole command outside the sandbox. A rule for one part does not speak for the others. */
export function runsOutsideByRule(units: readonly Unit[], judgements: readonly UnitJudgement[], about: Case): boolean {
  return givenBounds(units, judgements, about) === 'outside'
}

/**
 * What the rules behind a command say about its sandbox: what all of them allow, or `outside` if all of them do. Parts that
 * are proven to only read count only if a rule says where they run.
 */
function givenBounds(
  units: readonly Unit[],
  judgements: readonly UnitJudgement[],
  about: Case,
): RuleBounds | 'outside' | null {
  let found: RuleBounds | 'outside' | null = null
  for (const [at, unit] of units.entries()) {
    const judgement = judgements[at]
    // The rule for a command also says where the files that it runs are run.
    if (judgement === undefined || unit.part?.origin !== undefined) continue
    const said = [judgement.decider, ...judgement.others].flatMap(({ contain }) => contain ?? [])
    if (said.length === 0 && unit.part !== null && isHarmlessPart(unit, about)) continue
    if (said.length === 0) return null
    for (const contain of said) {
      const one = contain === false ? 'outside' : contain
      if (found === null) found = one
      else if (found === 'outside' || one === 'outside') found = found === one ? found : NO_BOUNDS
      else found = common(found, one)
    }
  }
  return found
}

function common(one: RuleBounds, other: RuleBounds): RuleBounds {
  const both = (key: keyof RuleBounds) => one[key].filter((item) => other[key].includes(item))
  return { write: both('write'), read: both('read'), network: both('network'), credentials: both('credentials') }
}

function boundsOf(given: RuleBounds, { risk, circumstances }: Case): Bounds {
  const { places, folders } = circumstances
  const real = (folder: string): string => {
    const spelled = resolveFolder(folder, places)
    return folders?.get(spelled) ?? spelled
  }
  const network = [...new Set([...given.network, ...contactedHosts(risk.hosts)])]
  return {
    workspace: onlyReads(risk) ? 'read' : 'write',
    write: given.write.map(real),
    read: given.read.map(real),
    network,
    // The project's secrets and a way out never meet in one sandbox.
    credentials:
      network.length === 0 && runsOnlyProject(risk)
        ? [...new Set([...given.credentials, 'project'])]
        : given.credentials,
  }
}

function onlyReads({ understood, parts }: RiskReport): boolean {
  return understood && parts.length > 0 && parts.every((part) => part.onlyReads === true)
}

/** Whether one part contacts a named host while another runs code that could use the same way out. */
function mixesHostsWithCode({ parts, hosts }: RiskReport): boolean {
  if (contactedHosts(hosts).length === 0) return false
  return parts.some((part) => part.onlyReads !== true && contactedHosts(part.hosts).length === 0)
}

/** Whether a command runs code of the project, and nothing else that reads files. */
function runsOnlyProject({ parts, understood }: RiskReport): boolean {
  const others = parts.filter((part) => part.runsProject !== true)
  return (
    understood &&
    others.length < parts.length &&
    others.every((part) => part.onlyReads === true && part.paths.length === 0)
  )
}

/**
 * What the words of a command prove, wherever it runs: every part of it must be proven. Nothing that was found is not
 * enough: a build tool evaluates files, and a loop can set variables.
 */
export function provenEffect({ call, risk }: Case): 'reads' | 'changes' | null {
  const { parts, understood, level, rated = level } = risk
  if (!understood || parts.length === 0 || !parts.every((part) => isProven(part, call))) return null
  if (rated === 'none' && parts.every(({ proven }) => proven === 'reads')) return 'reads'
  return 'changes'
}

/** Whoever runs contained commands also keeps git from running programs that a repository names, and Python from its caches. */
function isProven({ proven, provided }: RatedPart, { containable }: FrozenCall): boolean {
  return proven !== undefined && (provided === undefined || (provided !== 'settings' && containable))
}

/** Whether a proven command may run unasked where no sandbox bounds it. */
function isProvenEnough(about: Case, { set }: Policy): boolean {
  const effect = provenEffect(about)
  return effect === 'reads' || (effect === 'changes' && set.row.contained === 'any')
}

function isHarmlessPart({ part, level }: Unit, { call, risk }: Case): boolean {
  const rated = risk.parts.find(({ command }) => command === part)
  return risk.understood && level === 'none' && rated !== undefined && isProven(rated, call)
}
