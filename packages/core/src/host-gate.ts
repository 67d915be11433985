import { askPerson } from './approval/approve.ts'
import type { GateEvent, GateListener } from './approval/context/events.ts'
import type { GateContext } from './approval/context/gate-context.ts'
import { traced } from './approval/context/traced.ts'
import { endSessionGrants } from './approval/grants/registry.ts'
import { openUnasked, type Ticket, waitAgain } from './approval/hold/ticket.ts'
import { otherCall, pastRefusal, type Refusal } from './approval/outcome/outcome.ts'
import { type ClearedCall, clearCall, permissionOf } from './approval/outcome/permission.ts'
import type { Permit } from './approval/outcome/permit.ts'
import { withRisk } from './approval/outcome/refusal-text.ts'
import { closeRow, recordDenied } from './approval/record/close.ts'
import type { Judgement } from './approval/request/judgement.ts'
import type { Call } from './call/call.ts'
import { freezeCall } from './call/freeze/freeze-call.ts'
import { CountersignError } from './errors.ts'
import { begin } from './execute/begin.ts'
import { type HostEnd, handOver, releaseHostRuns, settleHostRun } from './execute/host-run.ts'
import { LONGEST_ASKED_MS } from './policy/schema/duration.ts'
import type { StoredCall } from './ports/store.ts'
import { refuseOnError } from './refuse-on-error.ts'
import type { RiskLevel } from './risk/report/level.ts'

/** What a coding agent gets that runs its tools itself: leave, a ticket for a command that the gate runs, or a refusal. */
export type HostAsked = Permit | HostTicket | HostQuestion | Refusal

/**
 * The agent asks its own person, in its own prompt, and runs the call if that person agrees. Nobody signs that answer, so the
 * call counts as unasked: it is in the journal as started, and `then` says how it runs.
 */
export interface HostQuestion {
  readonly kind: 'question'
  readonly risk: RiskLevel
  /** Why a person is asked, one line each. */
  readonly reasons: readonly string[]
  readonly then: Permit | HostTicket
}

/** How a call is asked for. */
export interface AskOptions {
  /** Its abort takes the call back, unless the reason is `STOPPING`: then the call waits for its agent to ask again. */
  readonly signal?: AbortSignal
  /** The agent can ask the person who sits before it; policy decides whether that is enough. */
  readonly agentPrompt?: boolean
  /**
   * Its hook asked before and got no answer. INVARIANT: L1, a call that was started meanwhile is *unknown*, and never started
   * again.
   */
  readonly again?: boolean
}

/** A ticket for a command, with the arguments that it was given for. */
export interface HostTicket extends Ticket {
  readonly args: Permit['args']
}

/**
 * The asking side for a coding agent that runs its tools itself. Its session belongs to the agent's process and outlives
 * this one: each of its calls may be asked from another process. INVARIANT: L8, it cannot decide.
 */
export interface HostGate {
  readonly session: string
  /**
   * Asks for one call and waits until it is decided. A permit leaves the call to the agent, which reports its end to `ended`.
   * A ticket means that the gate must run the command: whoever does so collects it (`JoinedSession`).
   */
  ask(call: Call, options?: AskOptions): Promise<HostAsked>
  /** Records how a call ended that was left to the agent. False if there is none like it. */
  ended(call: Call, end: HostEnd): Promise<boolean>
  /** Every event of this gate, or those of some `kinds`. Returns a function that unsubscribes. */
  subscribe(listener: GateListener, kinds?: readonly GateEvent['kind'][]): () => void
  /** Ends the session: its grants, and the calls that the agent never reported. */
  end(): Promise<void>
}

const MAX_ATTEMPTS = 4

/** The handle for one session of a coding agent. */
export function createHostGate(session: string, context: GateContext, maxBytes: number): HostGate {
  return {
    session,
    ask: (call, options = {}) =>
      traced('ask', context, (context) =>
        refuseOnError(call, context, async () => {
          const row =
            options.again === true && call.id !== undefined ? await context.ports.store.call(call.id) : undefined
          return row === undefined ? ask(call, options, context) : askAgain(call, row, options.signal, context)
        }),
      ),
    async ended(call, end) {
      const { crypto } = context.ports
      const frozen = freezeCall(call, {
        crypto,
        session,
        cwd: context.places.workspace,
        newId: crypto.randomId,
        maxBytes,
      })
      const reported = { id: call.id ?? null, digest: frozen.digest, args: frozen.args }
      const told = await traced('settle', context, async (context) => {
        context.trace?.enter('settle')
        const isSettled = await settleHostRun(session, reported, end, context)
        return { kind: isSettled ? end.outcome : 'unsettled', callId: frozen.id }
      })
      return told.kind !== 'unsettled'
    },
    subscribe: context.events.subscribe,
    async end() {
      await releaseHostRuns(session, context)
      await endSessionGrants(session, context)
    },
  }
}

/** The six steps as in `gate.ts`, but the effect is the agent's. */
async function ask(asked: Call, options: AskOptions, context: GateContext): Promise<HostAsked> {
  let call = asked
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const judgement = await context.judge(call)
    const question = options.agentPrompt === true ? await inAgentPrompt(judgement, context) : null
    const found = await approve(question ?? judgement, options.signal, context)
    const answer = found.kind === 'cleared' ? await start(found, context) : found
    if (answer !== 'judge-again') {
      if (answer.kind === 'refusal') return withRisk(answer, judgement)
      return question === null ? answer : questionOf(judgement, answer)
    }
    call = judgement.asked
  }
  throw new CountersignError('CS_STALE', 'policy, limits or grants keep changing; ask again')
}

/** Goes on with a call of this session where its row is. */
async function askAgain(
  call: Call,
  row: StoredCall,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<HostAsked> {
  const judgement = await context.judge(call)
  // SECURITY: A10 nobody takes up the call of another session, or with other arguments.
  if (row.session !== judgement.call.session || row.callDigest !== judgement.call.digest) return otherCall(row.id)
  if (row.state === 'started') await closeRow(row, 'unknown', 'started', context, { found: row.state })
  const now = (await context.ports.store.call(row.id)) ?? row
  if (now.state === 'closed' || now.state === 'started') return pastRefusal(now, context.ports.crypto)
  // Whoever collects the command has it judged once more.
  if (now.state === 'ready') return { kind: 'ticket', callId: row.id, args: judgement.call.args }
  const found = await asTicket(await waitAgain(now, signal, context), context)
  const answer = found.kind === 'cleared' ? await start(found, context) : found
  if (answer === 'judge-again')
    throw new CountersignError('CS_STALE', 'policy, limits or grants changed meanwhile; ask again')
  return answer.kind === 'refusal' ? withRisk(answer, judgement) : answer
}

/** Leaves a call to the agent that nothing else holds back. */
async function start(cleared: ClearedCall, context: GateContext): Promise<Permit | Refusal | 'judge-again'> {
  const begun = await begin(cleared, 'ask', context)
  if (begun !== 'judge-again' && begun.kind === 'permit') await handOver(begun, context)
  return begun
}

/** The call judged as one that the agent asks its own person about; null if nobody need be asked, or that is not enough. */
async function inAgentPrompt(judgement: Judgement, context: GateContext): Promise<Judgement | null> {
  if (permissionOf(judgement, null) !== 'ask') return null
  const { session } = judgement.call
  const other = await context.judge(judgement.asked, session, true)
  return permissionOf(other, null) === 'run' ? other : null
}

function questionOf({ risk, verdict }: Judgement, then: Permit | HostTicket): HostQuestion {
  const reasons = [...risk.reasons.map(({ text }) => text), ...verdict.reasons]
  return { kind: 'question', risk: risk.level, reasons, then }
}

/**
 * Step five. INVARIANT: L11, a command that nobody approved and that needs the sandbox, or the gate's environment, is never left
 * to the agent: it becomes a ticket.
 */
async function approve(
  judgement: Judgement,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ClearedCall | HostTicket | Refusal> {
  const { call, verdict } = judgement
  context.events.emit({ kind: 'judged', callId: call.id, judgement })
  const permission = permissionOf(judgement, null)
  if (typeof permission === 'object') return recordDenied(judgement, permission, context)
  if (permission === 'ask') return asTicket(await askPerson(judgement, signal, context), context)
  if (verdict.contain == null && !isProvenHere(judgement)) return clearCall(judgement, null, null, null)
  const expiresAt = context.ports.clock.now() + Math.min(verdict.timeoutMs, LONGEST_ASKED_MS)
  const refused = await openUnasked(judgement, null, expiresAt, context)
  return refused ?? { kind: 'ticket', callId: call.id, args: call.args }
}

/** Whether a command is harmless only in the environment that the gate gives it, such as git's settings. */
function isProvenHere({ call, risk }: Judgement): boolean {
  return call.containable && risk.parts.some(({ provided }) => provided !== undefined)
}

/** A held command that runs in the sandbox, or needs the gate's environment, can be collected by the process that runs it. */
async function asTicket(
  cleared: ClearedCall | Refusal,
  { commit }: GateContext,
): Promise<ClearedCall | HostTicket | Refusal> {
  if (cleared.kind === 'refusal') return cleared
  const { judgement, row, permit, verified } = cleared
  const needsGate = permit.contain !== null || (verified === null && isProvenHere(judgement))
  if (!needsGate) return cleared
  const { id } = judgement.call
  const from = row?.state ?? 'decided'
  const same = row?.requestDigest == null ? {} : { requestDigest: row.requestDigest }
  const committed = await commit({
    entries: [],
    move: { id, from, to: from, ...same, set: { mode: 'submit' } },
    durable: false,
  })
  if (committed.kind === 'committed') return { kind: 'ticket', callId: id, args: cleared.permit.args }
  throw new CountersignError('CS_STALE', 'the call changed while it was approved; ask again')
}
