import { approve } from './approval/approve.ts'
import type { GateContext } from './approval/context/gate-context.ts'
import { traced, tracedSettling } from './approval/context/traced.ts'
import { createDesk, type Desk } from './approval/desk/desk.ts'
import { submitCall, type Ticket, waitForTicket, withdrawTicket } from './approval/hold/ticket.ts'
import { withRisk } from './approval/outcome/refusal-text.ts'
import type { Call } from './call/call.ts'
import { CountersignError } from './errors.ts'
import { begin } from './execute/begin.ts'
import { type Effect, execute, settle, type ToolResult } from './execute/execute.ts'
import type { Answer, Gate } from './gate-handle.ts'
import { createHostGate, type HostGate } from './host-gate.ts'
import { intentThresholds } from './intent/given-thresholds.ts'
import { readIntent } from './intent/read-intent.ts'
import { type GateOptions, type OpenContext, openContext } from './open-context.ts'
import { declaredContext } from './policy/evaluate/declared-context.ts'
import type { Ports } from './ports/ports.ts'
import { refuseOnError, throwRefused } from './refuse-on-error.ts'
import { createResumableGate, type ResumableGate } from './resumable-gate.ts'
import { createJudge } from './session-judge.ts'
import { explainCall, isConfirmationRequired, previewCall } from './what-if.ts'
import { wrapTool } from './wrap.ts'

/**
 * Every call goes through six steps, in this order. Each leaves an entry in the journal.
 *
 * | step | does | code |
 * |---|---|---|
 * | 1 call | freezes the arguments, and describes what the call does | `judge.ts`, `call/`, `command/` |
 * | 2 risk | rates how bad it could get | `judge.ts`, `risk/` |
 * | 3 policy | decides how closely it is supervised | `judge.ts`, `policy/` |
 * | 4 safety | runs the checkers that the policy names | `judge.ts`, `safety/` |
 * | 5 approval | lets it run, refuses it, or holds it until a person decides | `approval/approve.ts` |
 * | 6 execute | checks policy and targets again, spends the permit, runs the tool once | `execute/begin.ts`, `execute/execute.ts` |
 */
async function run(
  call: Call,
  effect: Effect,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ToolResult> {
  const permit = await ask(call, signal, context)
  return permit.kind === 'refusal' ? permit : execute(permit, effect, context)
}

/** All six steps but the effect itself. The permit is spent: its holder may run the tool now, once. */
async function ask(asked: Call, signal: AbortSignal | undefined, context: GateContext): Promise<Answer> {
  let call = asked
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const judgement = await context.judge(call) // 1 call, 2 risk, 3 policy, 4 safety
    const cleared = await approve(judgement, signal, context) // 5 approval
    if (cleared.kind === 'refusal') return withRisk(cleared, judgement)
    const begun = await begin(cleared, 'ask', context) // 6 execute
    if (begun !== 'judge-again') return withRisk(begun, judgement)
    call = judgement.asked
  }
  throw new CountersignError('CS_STALE', 'policy, limits or grants keep changing; ask again')
}

/** The same for a submitted call, which is judged again when it is collected. */
async function collect(ticket: Ticket, signal: AbortSignal | undefined, context: GateContext): Promise<Answer> {
  const cleared = await waitForTicket(ticket, signal, context) // 1 to 5
  if (cleared.kind === 'refusal') return cleared
  const begun = await begin(cleared, 'submit', context) // 6 execute
  if (begun !== 'judge-again') return begun
  throw new CountersignError('CS_STALE', 'the grant or limit that allowed this call is used up; submit it again')
}

async function collectAndRun(
  ticket: Ticket,
  effect: Effect,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ToolResult> {
  const permit = await collect(ticket, signal, context)
  return permit.kind === 'refusal' ? permit : execute(permit, effect, context)
}

/** SECURITY: A10 an agent's ticket is of its session, and of no other's. */
async function checkSession({ callId }: Ticket, session: string, { ports }: GateContext): Promise<void> {
  const row = await ports.store.call(callId)
  if (row === undefined || row.session === session) return
  throw new CountersignError(
    'CS_TICKET_UNKNOWN',
    `call \`${callId}\` belongs to another session; ask again for the command`,
  )
}

const MAX_ATTEMPTS = 4

/** The two handles of a gate, and the way to more sessions on it. */
export interface OpenedGate {
  readonly gate: Gate
  readonly desk: Desk
  /** Another asker on the same store and policy, with its own session; closing its handle ends only that session. */
  newSession(): Promise<Gate>
  /** Opens or takes up the session of an asker who can come back, by its id; closing its handle ends it here. */
  resumeSession(session: string): Promise<ResumableGate>
  /**
   * Takes part in a session of a coding agent, which belongs to the agent's process (see `Owners`) and outlives this one. `waiter`
   * is the process that waits for its held calls, if it is not this one.
   */
  joinSession(session: string, owner: string, waiter?: string): JoinedSession
}

/** A session of a coding agent, as far as this process takes part in it. */
export interface JoinedSession {
  readonly host: HostGate
  /** Collects a ticket of the agent and runs its command: once, in the sandbox that its permit asks for. */
  collect(ticket: Ticket, effect: Effect, signal?: AbortSignal): Promise<ToolResult>
  /** This process no longer takes part. */
  leave(): void
}

/** Opens the gate over its ports: one handle to ask and one to decide. */
export async function createGate(world: Ports, options: GateOptions): Promise<OpenedGate> {
  const open = await openContext(world, options)
  const context = sessionContext(open, open.session)
  return {
    gate: gateOf(context, open, open.session),
    desk: createDesk(context),
    async newSession() {
      const session = await open.sessions.open()
      const gate = gateOf(sessionContext(open, session), open, session)
      return { ...gate, close: () => open.sessions.close(session) }
    },
    async resumeSession(session) {
      await open.sessions.open(session)
      const context = sessionContext(open, session)
      const gate = createResumableGate(gateOf(context, open, session), session, context)
      return { ...gate, close: () => open.sessions.close(session) }
    },
    joinSession(session, owner, waiter) {
      open.sessions.join(session, owner)
      const own = sessionContext(open, session, owner)
      const context = waiter === undefined ? own : { ...own, waiter }
      return {
        host: createHostGate(session, context, open.argumentBytes),
        collect: (ticket, effect, signal) =>
          traced('collect', context, (context) =>
            refuseOnError({ id: ticket.callId }, context, async () => {
              await checkSession(ticket, session, context)
              return collectAndRun(ticket, effect, signal, context)
            }),
          ),
        leave: () => open.sessions.leave(session),
      }
    },
  }
}

function sessionContext(open: OpenContext, session: string | null, owner = open.owner): GateContext {
  const learn: GateContext['learn'] = (result, { reads }) => open.readSecrets(session).learn(result, reads)
  return { ...open, owner, asker: session, ...createJudge(open, session), learn }
}

function gateOf(context: GateContext, open: OpenContext, session: string | null): Gate {
  const gate: Gate = {
    session,
    ask: (call, signal) =>
      traced('ask', context, (context) => refuseOnError(call, context, () => ask(call, signal, context))),
    run: (call, effect, signal) =>
      traced('run', context, (context) => refuseOnError(call, context, () => run(call, effect, signal, context))),
    submit: (call) =>
      traced('submit', context, (context) => throwRefused(call, context, () => submitCall(call, context))),
    wait: (ticket, signal) =>
      traced('collect', context, (context) =>
        refuseOnError({ id: ticket?.callId }, context, () => collect(ticket, signal, context)),
      ),
    withdraw: (ticket) => withdrawTicket(ticket, context),
    async settle(permit, outcome, detail, result) {
      if (result !== undefined) context.learn(result, permit)
      await tracedSettling(permit, outcome, () => settle(permit, outcome, detail ?? null, context))
    },
    wrap: (tool, options) => wrapTool(gate, tool, options),
    isConfirmationRequired: (call) => isConfirmationRequired(call, context),
    explain: (call) => explainCall(call, open.inForce, context),
    preview: (call) => previewCall(call, context),
    subscribe: open.events.subscribe,
    preset: () => open.inForce().policy.set.row.preset,
    trusts: (server) => open.inForce().policy.set.rating?.trustedServers.has(server) === true,
    readIntent(text, tags = null) {
      const { policy, folders } = open.inForce()
      const { places } = open
      return readIntent(text, tags, intentThresholds(declaredContext(policy.set.rating, { places, folders })))
    },
    policyProblems: open.problems,
    close: open.close,
  }
  return gate
}
