import type { FrozenCall } from '../call/call.ts'
import { describeCall } from '../call/describe.ts'
import { toolLabel } from '../call/tool.ts'
import { decomposeCall } from '../command/decompose-call.ts'
import { findInnerCalls, type InnerCall } from '../risk/inner-calls.ts'
import { rateRisk } from '../risk/rate-risk.ts'
import type { RiskReport } from '../risk/report.ts'
import type { Circumstances } from './circumstances.ts'
import type { Policy } from './compile.ts'
import { countsUnseen } from './compiled-rule.ts'
import { evaluatePolicy } from './evaluate.ts'
import { Scale, type UnitJudgement } from './scale.ts'
import { SUPERVISIONS, supervisionRank } from './supervision.ts'
import { unitsOf } from './unit.ts'
import type { Verdict } from './verdict.ts'
import { uncountedVoice } from './voice.ts'

/** What the rules demand for a call that another one makes. */
export interface InnerDemand {
  /** `server/name` of the call inside; null for those that were not looked at. */
  readonly tool: string | null
  readonly judgement: UnitJudgement
}

const CONFIRM = supervisionRank('confirm')
const MANUAL = supervisionRank('manual')

/**
 * Decides how closely one call is supervised, with the calls that it makes for its caller: whatever a rule asks for a tool
 * holds for that tool inside a batch or behind `invoke_tool` as well. INVARIANT: L2 L9, what is inside only raises.
 */
export function evaluateCall(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): Verdict {
  const verdict = evaluatePolicy(call, risk, policy, circumstances)
  if (verdict.supervision === 'deny') return verdict
  return innerDemands(call, policy, circumstances).reduce(raised, verdict)
}

/** What the rules demand for the calls inside; most calls have none. */
export function innerDemands(call: FrozenCall, policy: Policy, circumstances: Circumstances): readonly InnerDemand[] {
  const { descriptor, tool, args } = call
  // A shell that is known by its name is its command and nothing more.
  if (descriptor.source === 'known' && descriptor.command !== undefined) return []
  const { calls, missed, unread } = findInnerCalls(tool.name, args)
  const demands = calls.flatMap((inner) =>
    namesOf(inner, call).flatMap((named): readonly InnerDemand[] => {
      const made = innerCall(inner, named, call)
      const judgement = demandOf(made, policy, circumstances)
      return judgement === null ? [] : [{ tool: toolLabel(made.tool), judgement }]
    }),
  )
  const unseen = missed === 'beyond' ? 'calls' : unread
  const asked = unseen === 'nothing' ? 0 : unseen === 'calls' ? strictestOf(policy) : strictestFor(calls, call, policy)
  const rank = Math.min(asked, MANUAL)
  if (rank < CONFIRM) return demands
  const decider = uncountedVoice(SUPERVISIONS[rank] ?? 'manual', missed === 'beyond' ? 'calls' : 'arguments')
  return [...demands, { tool: null, judgement: { rank, decider, others: [], granted: false } }]
}

/** Of calls that were not looked at no rule can be ruled out: what the strictest would ask for holds, as far as a person. */
function strictestOf(policy: Policy): number {
  return policy.set.rules
    .filter(countsUnseen)
    .reduce((most, { supervision }) => Math.max(most, supervisionRank(supervision)), 0)
}

/** Of arguments that cannot be read, no rule can be ruled out that the names inside may fall under. */
function strictestFor(calls: readonly InnerCall[], outer: FrozenCall, policy: Policy): number {
  const tools = calls.flatMap((inner) => namesOf(inner, outer).map((named) => innerCall(inner, named, outer).tool))
  const shelves = new Set(tools.flatMap((tool) => policy.index.shelvesOf(tool)))
  return [...shelves].reduce((most, { strictest }) => Math.max(most, strictest), 0)
}

/** Units without a preset's row: how bad it is was rated with the whole call. */
function demandOf(call: FrozenCall, policy: Policy, circumstances: Circumstances): UnitJudgement | null {
  const ungranted = { ...circumstances, grants: [] }
  const risk = rateRisk(call, decomposeCall(call), ungranted)
  let most: UnitJudgement | null = null
  for (const unit of unitsOf(risk)) {
    const about = { call, risk, circumstances: ungranted }
    const scale = new Scale(unit, about)
    for (const shelf of policy.index.shelvesOf(call.tool)) shelf.find(unit, call.args, scale)
    const judgement = scale.demand()
    if (judgement !== null && judgement.rank > (most?.rank ?? -1)) most = judgement
  }
  return most
}

interface Named {
  readonly server: string | null
  readonly name: string
}

/**
 * Every tool that a name inside a call may mean: rules for any of them hold. SECURITY: A1, a server that the call names is
 * one more to look at and hides none, since nobody knows whether the tool around it heeds that key.
 */
function namesOf({ name, server, around }: InnerCall, outer: FrozenCall): readonly Named[] {
  const split = /^(?:mcp__)?([\w-]+?)(?:\/|__|\.|:)([\w.:/-]+)$/.exec(name)
  const [, first, rest] = split ?? []
  const parts = first === undefined || rest === undefined ? [] : [{ server: first, name: rest }]
  const given = server !== null && /^[\w.:/-]{1,128}$/.test(server) ? server : null
  const servers = new Set([given, outer.tool.server, around, null])
  return [...[...servers].map((one) => ({ server: one, name })), ...parts]
}

function innerCall({ args }: InnerCall, { server, name }: Named, outer: FrozenCall): FrozenCall {
  const source = server === null ? outer.source : 'mcp'
  return {
    ...outer,
    tool: { server, name, definition: 'unbound' },
    args,
    source,
    annotations: null,
    descriptor: describeCall({ server, name, source }, args),
  }
}

function raised(verdict: Verdict, { tool, judgement }: InnerDemand): Verdict {
  if (judgement.rank <= supervisionRank(verdict.supervision)) return verdict
  const { decider, others } = judgement
  const reason = tool === null ? decider.reason : `it calls \`${tool}\`, and ${decider.reason}`
  const voices = [decider, ...others]
  const timeouts = voices.flatMap((voice) => voice.timeoutMs ?? [])
  return {
    ...verdict,
    supervision: SUPERVISIONS[judgement.rank] ?? 'deny',
    rule: decider.rule,
    condition: decider.condition,
    contributors: [...voices.map((voice) => voice.rule), ...verdict.contributors],
    reasons: [reason, ...verdict.reasons],
    timeoutMs: Math.min(verdict.timeoutMs, ...timeouts),
    grant: null,
  }
}
