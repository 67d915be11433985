import type { GateContext } from './approval/context.ts'
import { recordDenied } from './approval/deny.ts'
import { createDesk, type Desk } from './approval/desk.ts'
import type { GateListener } from './approval/event.ts'
import { followHeld } from './approval/follow.ts'
import { openHeld, prepareHeld, recordRefused } from './approval/hold.ts'
import type { Judgement } from './approval/judgement.ts'
import type { Outcome } from './approval/outcome.ts'
import { type Passed, passUnasked } from './approval/pass.ts'
import type { Permit } from './approval/permit.ts'
import type { Refusal } from './approval/refusal.ts'
import { submitCall, type Ticket, waitForTicket } from './approval/ticket.ts'
import { withdrawTicket } from './approval/withdraw.ts'
import type { Call } from './call/call.ts'
import { freezeCall } from './call/freeze-call.ts'
import type { JsonObject } from './call/json.ts'
import { readCallOnce } from './call/read-once.ts'
import { decomposeCall } from './command/decompose-call.ts'
import { begin } from './execute/begin.ts'
import { execute, type ToolResult } from './execute/execute.ts'
import { settle } from './execute/settle.ts'
import { type GateOptions, openContext } from './gate-context.ts'
import { evaluatePolicy } from './policy/evaluate.ts'
import { type Explanation, explainPolicy } from './policy/explain.ts'
import { gatherCircumstances } from './policy/gather-circumstances.ts'
import { withPatience } from './policy/patience.ts'
import type { PolicyProblem } from './policy/problem.ts'
import { strictest } from './policy/supervision.ts'
import { weighGrants } from './policy/weigh-grants.ts'
import { boundPorts } from './ports/bounded-ports.ts'
import { rememberUses } from './ports/own-uses.ts'
import type { Ports } from './ports/ports.ts'
import { refuseOnError, throwRefused } from './refuse-on-error.ts'
import { rateRisk } from './risk/rate-risk.ts'
import { runCheckers } from './safety/run-checkers.ts'
import { previewFor, type Tool, type WrapOptions, type WrappedTool, wrapTool } from './wrap.ts'

/** The asking side. INVARIANT: L8, it cannot decide. */
export interface Gate {
  /** Asks for one call and waits until it is decided. The caller runs the tool and tells `settle`. Abort withdraws. */
  ask(call: Call, signal?: AbortSignal): Promise<Permit | Refusal>
  /** Asks for one call and, once it may, runs it: exactly once, with the frozen arguments. */
  run(call: Call, effect: (args: JsonObject) => unknown, signal?: AbortSignal): Promise<ToolResult>
  /** Hands a call in durably and returns at once; idempotent on the call's id. */
  submit(call: Call): Promise<Ticket>
  /** Waits for a submitted call, in this process or after a restart. */
  wait(ticket: Ticket, signal?: AbortSignal): Promise<Permit | Refusal>
  withdraw(ticket: Ticket): Promise<void>
  /** Tells how a tool ended that the caller ran itself. */
  settle(permit: Permit, outcome: Outcome, detail?: string): Promise<void>
  /**
   * Puts a tool behind the gate: calling the result asks first.
   *
   * ```ts
   * const read = gate.wrap({ name: 'read_file', run: ({ path }: { path: string }) => readFile(path, 'utf8') })
   * ```
   */
  wrap<Args extends object, Value>(tool: Tool<Args, Value>, options?: WrapOptions<Args>): WrappedTool<Args, Value>
  /** Whether the call would run unasked; a call that is denied or cannot be judged would not. */
  isConfirmationRequired(call: Call): Promise<boolean>
  /** What policy says of a call, and what every rule that lost said. */
  explain(call: Call): Promise<Explanation>
  /** Everything that happens, as it happens. */
  subscribe(listener: GateListener): () => void
  /** The preset in force; a surface says so when it is `classic`, under which nothing is held. */
  preset(): string
  /** What is wrong with the policy files right now; empty when they are in force as written. */
  policyProblems(): readonly PolicyProblem[]
  /** Signs a last checkpoint and lets go of the store. What is still held is withdrawn. */
  close(): Promise<void>
}

/** Opens the gate over its ports: two handles, one to ask and one to decide. */
export async function createGate(
  world: Ports,
  options: GateOptions,
): Promise<{ readonly gate: Gate; readonly desk: Desk }> {
  const ports = rememberUses(boundPorts(world))
  const open = await openContext(ports, options)
  const { places } = options
  const { clock, crypto } = ports

  /** Steps one to four: what the call is, how bad it could get, what policy says, what the checkers find. */
  async function judge(handed: Call, session = open.session, proposals = 0): Promise<Judgement> {
    // SECURITY: A6 copied before anything is waited for: what the caller changes from here on is its own.
    const given = readCallOnce(handed)
    const call = freezeCall(given, {
      crypto,
      session,
      cwd: places.workspace,
      newId: crypto.randomId,
      maxBytes: open.argumentBytes,
    })
    await open.refreshPolicy()
    const { policy } = open.policy
    const command = decomposeCall(call)
    const gathered = await gatherCircumstances(call, command, {
      ports,
      places,
      limits: policy.limits,
      folders: open.folders(),
      grants: [],
    })
    const risk = rateRisk(call, command, gathered.circumstances)
    const weighed = await weighGrants(call, risk, policy, gathered.circumstances, async () =>
      // SECURITY: A10 a session ends with its process: what was granted in another speaks for nobody here.
      session === open.session ? open.grants.of(session) : [],
    )
    const verdict = withPatience(weighed.verdict, given.timeoutMs)
    const safety = await runCheckers(open.checkers, verdict.checks, { call, risk, places }, clock)
    const supervision = strictest([verdict.supervision, safety.raise, proposals > 0 ? 'confirm' : 'automatic'])
    const judgement = {
      given: { ...given, id: call.id, args: call.args },
      call,
      named: gathered.named,
      circumstances: weighed.circumstances,
      risk,
      verdict,
      safety,
      supervision,
    }
    // INVARIANT: L9, a checker's proposal is a new call: judged from the start, and a person sees it.
    if (safety.proposed === null || safety.blocked || proposals === 3) return judgement
    return judge({ ...given, id: call.id, args: safety.proposed }, session, proposals + 1)
  }

  const context: GateContext = {
    ...open,
    judge,
    judgeWith: ({ call, risk, circumstances }, grant) =>
      evaluatePolicy(call, risk, open.policy.policy, { ...circumstances, grants: [...circumstances.grants, grant] }),
    previewOf: (judgement) => previewFor(judgement, ports),
  }

  /** Step five: a permit, or why not. */
  async function approve(judgement: Judgement, signal: AbortSignal | undefined): Promise<Passed | Refusal> {
    open.events.emit({ kind: 'judged', callId: judgement.call.id, judgement })
    const answer = passUnasked(judgement)
    if (answer !== 'hold') return answer.kind === 'passed' ? answer : recordDenied(judgement, answer, context)
    const { timeoutMs } = judgement.verdict
    const deadline = clock.monotonic() + timeoutMs
    const held = await prepareHeld(judgement, judgement.circumstances.now + timeoutMs, context)
    const refused = await openHeld(held, 'ask', context)
    return refused === null ? followHeld(held, 'ask', deadline, signal, context) : recordRefused(refused, context)
  }

  /** Step six, for a tool the caller runs: the permit is spent and the intent written before it is handed out. */
  async function release(passed: Passed | Refusal, mode: 'ask' | 'submit'): Promise<Permit | Refusal> {
    if (passed.kind === 'refusal') return passed
    return (await begin(passed, context, mode)) ?? passed.permit
  }

  /** Step six, for a tool we run. */
  async function runPassed(passed: Passed | Refusal, effect: (args: JsonObject) => unknown): Promise<ToolResult> {
    return passed.kind === 'refusal' ? passed : execute(passed, effect, context)
  }

  const gate: Gate = {
    ask: (call, signal) =>
      refuseOnError(call, context, async () => release(await approve(await context.judge(call), signal), 'ask')),
    run: (call, effect, signal) =>
      refuseOnError(call, context, async () => runPassed(await approve(await context.judge(call), signal), effect)),
    submit: (call) => throwRefused(call, context, () => submitCall(call, context)),
    wait: (ticket, signal) =>
      refuseOnError({ id: ticket?.callId }, context, async () =>
        release(await waitForTicket(ticket, signal, context), 'submit'),
      ),
    withdraw: (ticket) => withdrawTicket(ticket, context),
    settle: (permit, outcome, detail) => settle(permit, outcome, detail ?? null, context),
    wrap: (tool, wrapping) => wrapTool(gate, tool, wrapping),
    async isConfirmationRequired(call) {
      const judgement = await context.judge(call).catch(() => null)
      return judgement?.supervision !== 'automatic' && judgement?.supervision !== 'notify'
    },
    async explain(call) {
      const { call: frozen, risk, circumstances } = await context.judge(call)
      return explainPolicy(frozen, risk, open.policy.policy, circumstances)
    },
    subscribe: open.events.subscribe,
    preset: () => open.policy.policy.set.row.preset,
    policyProblems: open.problems,
    close: open.close,
  }
  return { gate, desk: createDesk(context) }
}
