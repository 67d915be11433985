import type { Judgement } from './approval/request/judgement.ts'
import type { Call } from './call/call.ts'
import { REASONING_READ, readReasoning } from './call/freeze/field-validation.ts'
import { freezeCall, withOwnDescription } from './call/freeze/freeze-call.ts'
import { readCallOnce } from './call/freeze/read-call-once.ts'
import type { JsonObject } from './call/json/json.ts'
import { decomposeCall } from './command/decompose-call.ts'
import { withCallerTimeout, withPasskey } from './policy/evaluate/adjust-verdict.ts'
import { evaluateCall } from './policy/evaluate/evaluate.ts'
import { gatherCircumstances } from './policy/evaluate/gather-circumstances.ts'
import { withStatedRisk } from './policy/evaluate/stated-risk.ts'
import { unseenFor } from './policy/evaluate/unseen-changes.ts'
import { evaluateWithGrants } from './policy/evaluate/with-grants.ts'
import { USUAL_RETENTION } from './policy/load/merged-settings.ts'
import type { Circumstances, Places } from './policy/model/circumstances.ts'
import type { Grant } from './policy/model/grant.ts'
import { type Supervision, strictest } from './policy/model/supervision.ts'
import type { PolicyInForce } from './policy-in-force.ts'
import type { Turns } from './ports/cooperative-yield.ts'
import type { Ports } from './ports/ports.ts'
import type { CallTrace } from './ports/telemetry.ts'
import type { LeavingSecrets } from './risk/path/located-path.ts'
import { rateRisk } from './risk/rate-risk.ts'
import { NOTHING_TO_CHECK, runCheckers, withPresetFindings } from './safety/run-checkers.ts'
import { coverSecrets } from './secrets/mask.ts'

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
  /** Credentials among the arguments that were read in this session; undefined for none. */
  leaving(args: JsonObject): LeavingSecrets | undefined
  /** Each step runs in turn with the calls of other callers. */
  readonly turns: Turns
  /** The coding agent asks its own person. */
  readonly agentPrompt: boolean
  /** At least this supervision, whatever the policy says. */
  readonly atLeast: Supervision
  readonly trace: CallTrace | undefined
}

/** Steps one to four: what the call is, what could go wrong, what the policy says, what the checkers find. */
export async function judgeCall(asked: Call, context: JudgeContext): Promise<Judgement> {
  const { ports, places, session, turns, trace } = context
  const { clock, crypto } = ports

  // 1. call. SECURITY: A6 copied before anything is waited for: later changes by the caller have no effect.
  const copy = withCoveredReasoning(readCallOnce(asked))
  if (copy.traceparent !== undefined) trace?.adopt(copy.traceparent)
  trace?.enter('rate')
  const freezing = {
    crypto,
    session,
    cwd: places.workspace,
    newId: crypto.randomId,
    maxBytes: context.maxArgumentBytes,
  }
  const frozen = freezeCall(copy, freezing)
  const { policy, folders, checkers } = await turns.step(context.policy)
  const { limits, set } = policy
  const call = withOwnDescription(frozen, set.rating?.knowledge, copy, crypto)
  const command = decomposeCall(call)

  // 2. risk
  const sources = { ports, places, limits, folders, grants: [], rating: set.rating, turns }
  const found = await gatherCircumstances(call, command, { ...sources, leaving: context.leaving(call.args) })
  const gathered = context.agentPrompt ? withPrompt(found) : found
  const rated = await turns.step(() => rateRisk(call, gathered.command, gathered.circumstances))
  const risk = withStatedRisk(call, rated, policy, gathered.circumstances)

  // 3. policy
  trace?.enter('judge')
  const evaluated = await turns.step(() =>
    evaluateWithGrants(call, risk, policy, gathered.circumstances, context.grants),
  )
  // Changes that nobody has seen are looked for only where the command would run outside the sandbox.
  const { supervision: required, contain } = evaluated.verdict
  const mayLoad = required !== 'deny' && contain === null && set.row.contained !== 'never'
  const weighed = mayLoad ? await turns.step(() => withUnseenChanges(evaluated)) : evaluated
  const { circumstances } = weighed
  const verdict = withPasskey(withCallerTimeout(weighed.verdict, copy.timeoutMs), set, risk.level)

  async function withUnseenChanges(found: typeof evaluated): Promise<typeof evaluated> {
    const unseen = await unseenFor(risk, found.circumstances, ports)
    if (unseen === undefined) return found
    const known = { ...found.circumstances, unseen }
    return { verdict: evaluateCall(call, risk, policy, known), circumstances: known }
  }

  // 4. safety
  const { checks, settings, presetChecks = [] } = verdict
  const checked = { call, risk, places, settings, presetChecks, retention: set.backups ?? USUAL_RETENTION }
  if (checks.length > 0) trace?.enter('check')
  const safety =
    checks.length === 0
      ? NOTHING_TO_CHECK
      : withPresetFindings(
          await turns.step(() => runCheckers(checkers, checks, checked, clock)),
          presetChecks,
          set.row.checks?.advisory === true ? 'advises' : 'raises',
        )

  const supervision = strictest([verdict.supervision, safety.raise, context.atLeast])
  const kept = { ...copy, id: call.id, args: call.args, ...descriptionOf(copy, call.descriptor) }
  const { named } = gathered
  return { asked: kept, call, named, circumstances, risk, verdict, safety, supervision, paused: turns.hasYielded }
}

function withPrompt<T extends { readonly circumstances: Circumstances }>(gathered: T): T {
  return { ...gathered, circumstances: { ...gathered.circumstances, agentPrompt: true } }
}

/** SECURITY: A32, an agent thinks about secrets that it saw; its thinking is kept without them, in the row as in the journal. */
function withCoveredReasoning(call: Call): Call {
  const text = readReasoning(call.reasoning, REASONING_READ)
  if (text === null) return call
  return { ...call, reasoning: readReasoning(coverSecrets(text)) ?? '' }
}

/** Keeps what the tool's `describe` said of these arguments: the call is judged the same where the tool is not there to ask. */
function descriptionOf(call: Call, descriptor: Judgement['call']['descriptor']): Partial<Call> {
  if (call.describe === undefined || descriptor.source !== 'declared') return {}
  const { source: _, urls: __, cwd: ___, ...description } = descriptor
  return { description }
}
