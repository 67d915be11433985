import type { Judgement } from './approval/request/judgement.ts'
import type { Call } from './call/call.ts'
import { freezeCall } from './call/freeze/freeze-call.ts'
import { readCallOnce } from './call/freeze/read-call-once.ts'
import { decomposeCall } from './command/decompose-call.ts'
import { withCallerTimeout, withPasskey } from './policy/evaluate/adjust-verdict.ts'
import { gatherCircumstances } from './policy/evaluate/gather-circumstances.ts'
import { evaluateWithGrants } from './policy/evaluate/with-grants.ts'
import type { Places } from './policy/model/circumstances.ts'
import type { Grant } from './policy/model/grant.ts'
import { type Supervision, strictest } from './policy/model/supervision.ts'
import type { PolicyInForce } from './policy-in-force.ts'
import type { Turns } from './ports/cooperative-yield.ts'
import type { Ports } from './ports/ports.ts'
import { rateRisk } from './risk/rate-risk.ts'
import { NOTHING_TO_CHECK, runCheckers } from './safety/run-checkers.ts'

/** What one call is judged with. */
export interface JudgeContext {
  readonly ports: Ports
  readonly places: Places
  readonly session: string | null
  readonly maxArgumentBytes: number
  /** The policy in force, checked against its files after the call arrived. */
  policy(): Promise<PolicyInForce>
  /** The grants of this session that are active now. */
  grants(): Promise<readonly Grant[]>
  /** Each step runs in turn with the calls of other callers. */
  readonly turns: Turns
  /** At least this supervision, whatever the policy says. */
  readonly atLeast: Supervision
}

/** Steps one to four: what the call is, what could go wrong, what the policy says, what the checkers find. */
export async function judgeCall(asked: Call, context: JudgeContext): Promise<Judgement> {
  const { ports, places, session, turns } = context
  const { clock, crypto } = ports

  // 1. call. SECURITY: A6 copied before anything is waited for: later changes by the caller have no effect.
  const copy = readCallOnce(asked)
  const freezing = {
    crypto,
    session,
    cwd: places.workspace,
    newId: crypto.randomId,
    maxBytes: context.maxArgumentBytes,
  }
  const call = freezeCall(copy, freezing)
  const command = decomposeCall(call)

  // 2. risk
  const { policy, folders, checkers } = await turns.step(context.policy)
  const { limits, set } = policy
  const sources = { ports, places, limits, folders, grants: [], rating: set.rating, turns }
  const gathered = await gatherCircumstances(call, command, sources)
  const risk = await turns.step(() => rateRisk(call, command, gathered.circumstances))

  // 3. policy
  const evaluated = await turns.step(() =>
    evaluateWithGrants(call, risk, policy, gathered.circumstances, context.grants),
  )
  const { circumstances } = evaluated
  const verdict = withPasskey(withCallerTimeout(evaluated.verdict, copy.timeoutMs), set, risk.level)

  // 4. safety
  const checked = { call, risk, places, settings: verdict.settings }
  const safety =
    verdict.checks.length === 0
      ? NOTHING_TO_CHECK
      : await turns.step(() => runCheckers(checkers, verdict.checks, checked, clock))

  const supervision = strictest([verdict.supervision, safety.raise, context.atLeast])
  const kept = { ...copy, id: call.id, args: call.args, ...descriptionOf(copy, call.descriptor) }
  const { named } = gathered
  return { asked: kept, call, named, circumstances, risk, verdict, safety, supervision, paused: turns.hasYielded }
}

/** Keeps what the tool's `describe` said of these arguments: the call is judged the same where the tool is not there to ask. */
function descriptionOf(call: Call, descriptor: Judgement['call']['descriptor']): Partial<Call> {
  if (call.describe === undefined || descriptor.source !== 'declared') return {}
  const { source: _, urls: __, cwd: ___, ...description } = descriptor
  return { description }
}
