import type { GateContext } from './approval/context/gate-context.ts'
import { createDesk, type Desk } from './approval/desk/desk.ts'
import { followHeld } from './approval/hold/await-decision.ts'
import { openHeld, prepareHeld } from './approval/hold/hold.ts'
import { submitCall } from './approval/hold/submit.ts'
import { waitForTicket } from './approval/hold/wait.ts'
import { withdrawTicket } from './approval/hold/withdraw.ts'
import { type Passed, passUnasked } from './approval/outcome/permission.ts'
import type { Permit } from './approval/outcome/permit.ts'
import { type Refusal, refusal } from './approval/outcome/refusal.ts'
import { closePassed, endThrown } from './approval/record/close.ts'
import { recordDenied } from './approval/record/denial.ts'
import { recordConflict } from './approval/record/store-conflict.ts'
import { viewOf } from './approval/request/held.ts'
import type { Judgement } from './approval/request/judgement.ts'
import type { Call } from './call/call.ts'
import { CountersignError } from './errors.ts'
import { type Begun, begin } from './execute/begin.ts'
import { execute } from './execute/execute.ts'
import { settle } from './execute/settle.ts'
import type { Gate } from './gate-handle.ts'
import { judgeCall } from './judge.ts'
import { type GateOptions, type OpenContext, openContext } from './open-context.ts'
import { dependsOnTime } from './policy/evaluate/adjust-verdict.ts'
import { evaluateCall } from './policy/evaluate/evaluate.ts'
import { explainPolicy } from './policy/evaluate/explain.ts'
import { strictest } from './policy/model/supervision.ts'
import { rememberUses } from './ports/local-counters.ts'
import { boundPorts } from './ports/port-timeouts.ts'
import type { Ports } from './ports/ports.ts'
import { refuseOnError, throwRefused } from './refuse-on-error.ts'
import { previewFor, wrapTool } from './wrap.ts'

/**
 * Opens the gate over its ports: two handles, one to ask and one to decide. The whole program is
 * call ▶ risk ▶ policy ▶ safety (`judgeCall`) ▶ approval (`approve`) ▶ execute (`begin`, `execute`), with the journal beside it.
 */
export async function createGate(world: Ports, options: GateOptions): Promise<OpenedGate> {
  const open = await openContext(rememberUses(boundPorts(world)), options)
  const context = contextOf(open, options, open.session)
  return {
    gate: gateOf(context, open, open.session),
    desk: createDesk(context),
    async newSession() {
      const session = await open.sessions.open()
      const gate = gateOf(contextOf(open, options, session), open, session)
      return { ...gate, close: () => open.sessions.close(session) }
    },
  }
}

/** The two handles of a gate, and the way to more sessions on it. */
export interface OpenedGate {
  readonly gate: Gate
  readonly desk: Desk
  /** Another asker on the same store and policy, with a session of its own: closing its handle ends only that. */
  newSession(): Promise<Gate>
}

/** What the steps share, for the calls of one session. */
function contextOf(open: OpenContext, options: GateOptions, own: string | null): GateContext {
  return {
    ...open,
    judge: (call, session = own) => judgeCall(call, open, options.places, session),
    judgeWith: ({ call, risk, circumstances }, grant) =>
      evaluateCall(call, risk, open.inForce().policy, { ...circumstances, grants: [...circumstances.grants, grant] }),
    judgeNow({ call, risk, circumstances, verdict }) {
      const { policy } = open.inForce()
      const isTimeless = circumstances.grants.length === 0 && !dependsOnTime(policy.set)
      if (isTimeless && policy.hash === verdict.policyHash) return verdict
      return evaluateCall(call, risk, policy, { ...circumstances, now: open.ports.clock.now() })
    },
    previewOf: (judgement) => previewFor(judgement, open.ports),
  }
}

function gateOf(context: GateContext, open: OpenContext, session: string | null): Gate {
  /** All six steps but the effect itself: what this returns may run now, once. */
  async function pass(call: Call, signal: AbortSignal | undefined): Promise<Permit | Refusal> {
    let given = call
    for (let round = 0; round < ROUNDS; round += 1) {
      const judgement = await context.judge(given)
      const passed = await approve(judgement, signal, context)
      if (passed.kind === 'refusal') return passed
      if (isGone(signal)) return endWithdrawn(passed, context)
      const begun = await beginAsked(passed, context)
      if (begun !== 'judge-again') return begun === 'begun' ? passed.permit : begun
      given = judgement.given
    }
    throw new CountersignError('CS_STALE', 'policy, limits or grants changed again and again meanwhile; ask once more')
  }

  /** The same for a call that was submitted: it was judged before, and is judged again when it is collected. */
  async function collect(
    ticket: Parameters<Gate['wait']>[0],
    signal: AbortSignal | undefined,
  ): Promise<Permit | Refusal> {
    const passed = await waitForTicket(ticket, signal, context)
    if (passed.kind === 'refusal') return passed
    // Only this waiter is gone: the call stays as it is, for whoever collects it.
    if (isGone(signal)) return refusal(passed.judgement.call.id, 'withdrawn', 'CS_WITHDRAWN', NOBODY_WAITS)
    const begun = await begin(passed, context, 'submit')
    if (begun === 'judge-again')
      throw new CountersignError('CS_STALE', 'what allowed this call is gone; submit it again')
    return begun === 'begun' ? passed.permit : begun
  }

  const gate: Gate = {
    session,
    ask: (call, signal) => refuseOnError(call, context, () => pass(call, signal)),
    run: (call, effect, signal) =>
      refuseOnError(call, context, async () => {
        const permit = await pass(call, signal)
        return permit.kind === 'refusal' ? permit : execute(permit, effect, context)
      }),
    submit: (call) => throwRefused(call, context, () => submitCall(call, context)),
    wait: (ticket, signal) => refuseOnError({ id: ticket?.callId }, context, () => collect(ticket, signal)),
    withdraw: (ticket) => withdrawTicket(ticket, context),
    settle: (permit, outcome, detail) => settle(permit, outcome, detail ?? null, context),
    wrap: (tool, wrapping) => wrapTool(gate, tool, wrapping),
    async isConfirmationRequired(call) {
      const judgement = await context.judge(call).catch(() => null)
      if (judgement?.safety.blocked === true) return true
      return judgement?.supervision !== 'automatic' && judgement?.supervision !== 'notify'
    },
    async explain(call) {
      const { call: frozen, risk, circumstances, safety, supervision } = await context.judge(call)
      const explained = explainPolicy(frozen, risk, open.inForce().policy, circumstances)
      return { ...explained, supervision: safety.blocked ? 'deny' : strictest([supervision, explained.supervision]) }
    },
    async preview(call) {
      const judgement = await context.judge(call)
      const expiresAt = context.ports.clock.now() + judgement.verdict.timeoutMs
      return viewOf(await prepareHeld(judgement, expiresAt, context))
    },
    subscribe: open.events.subscribe,
    preset: () => open.inForce().policy.set.row.preset,
    policyProblems: open.problems,
    close: open.close,
  }
  return gate
}

const ROUNDS = 4
const NOBODY_WAITS = 'nobody waits any more; the call can be collected until its deadline'

/**
 * Whether the caller itself is gone. An abort for any other reason only says that nobody waits for a person any more:
 * what is decided, or needs nobody, still goes through.
 */
function isGone(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason === 'gone'
}

/** INVARIANT: L3, whatever is thrown: a call that was held ends, since its asker is refused. */
async function beginAsked(passed: Passed, context: GateContext): Promise<Begun> {
  try {
    return await begin(passed, context)
  } catch (thrown) {
    throw passed.held === null ? thrown : await endThrown(thrown, passed.held, context)
  }
}

/** A call that may run, for a caller that is no longer there: it is ended instead, and nothing begins. */
function endWithdrawn(passed: Passed, context: GateContext): Promise<Refusal> {
  const { judgement, held } = passed
  const message = 'the caller went away before the call could run'
  const refused = refusal(judgement.call.id, 'withdrawn', 'CS_WITHDRAWN', message)
  return held === null ? recordDenied(judgement, refused, context) : closePassed(passed, held, refused, context)
}

/** Step five: a permit for exactly this call, or why not. */
async function approve(
  judgement: Judgement,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<Passed | Refusal> {
  context.events.emit({ kind: 'judged', callId: judgement.call.id, judgement })
  const answer = passUnasked(judgement)
  if (answer !== 'hold') return answer.kind === 'passed' ? answer : recordDenied(judgement, answer, context)
  const { timeoutMs } = judgement.verdict
  const { clock } = context.ports
  // One moment for both, after the call had its turns: what is shown is when the waiting ends.
  const [deadline, expiresAt] = [clock.monotonic() + timeoutMs, clock.now() + timeoutMs]
  const held = await prepareHeld(judgement, expiresAt, context)
  const refused = await openHeld(held, 'ask', context)
  if (refused !== null) return recordConflict(refused, context)
  try {
    // `await`, since an async function that returns a promise comes back three turns later: a person has just decided.
    return await followHeld(held, 'ask', deadline, signal, context)
  } catch (thrown) {
    throw await endThrown(thrown, held, context)
  }
}
