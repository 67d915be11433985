import type { GateEvent, GateListener } from './approval/context/events.ts'
import type { Ticket } from './approval/hold/ticket.ts'
import type { Outcome, Refusal } from './approval/outcome/outcome.ts'
import type { Permit } from './approval/outcome/permit.ts'
import type { HeldCallView } from './approval/request/view.ts'
import type { Call } from './call/call.ts'
import type { Effect, ToolResult } from './execute/execute.ts'
import type { Intent } from './intent/model/intent.ts'
import type { IntentTags } from './intent/tags.ts'
import type { Explanation } from './policy/evaluate/explain.ts'
import type { PolicyProblem } from './policy/model/policy-problem.ts'
import type { Tool, WrapOptions, WrappedTool } from './wrap.ts'

/** What an asker gets: the power to run one call once, or why not. */
export type Answer = Permit | Refusal

/** The asking side. INVARIANT: L8, it cannot decide. */
export interface Gate {
  /** The session of its calls, minted by the gate; null for a gate without one. */
  readonly session: string | null
  /** Asks for one call and waits until it is decided. The caller runs the tool and reports to `settle`. Abort withdraws. */
  ask(call: Call, signal?: AbortSignal): Promise<Answer>
  /** Asks for one call and, once it may, runs it: exactly once, with the frozen arguments. */
  run(call: Call, effect: Effect, signal?: AbortSignal): Promise<ToolResult>
  /** Submits a call durably and returns at once; idempotent on the call's id within a session. */
  submit(call: Call): Promise<Ticket>
  /** Waits for a submitted call, in this process or after a restart. */
  wait(ticket: Ticket, signal?: AbortSignal): Promise<Answer>
  /** Takes a submitted call back. */
  withdraw(ticket: Ticket): Promise<void>
  /**
   * Records the outcome of a tool that the caller ran itself. Credentials in `result` are recognised when they leave with a
   * later call of this session; the result itself is not kept.
   */
  settle(permit: Permit, outcome: Outcome, detail?: string, result?: unknown): Promise<void>
  /**
   * Puts a tool behind the gate: calling the result asks first.
   *
   * ```ts
   * const read = gate.wrap({ name: 'read_file', run: ({ path }: { path: string }) => readFile(path, 'utf8') })
   * ```
   */
  wrap<Args extends object, Value>(tool: Tool<Args, Value>, options?: WrapOptions<Args>): WrappedTool<Args, Value>
  /** False only if the call would run unasked; a call that is denied or cannot be judged would not. */
  isConfirmationRequired(call: Call): Promise<boolean>
  /** The verdict on a call, and what every rule says about it. */
  explain(call: Call): Promise<Explanation>
  /** What a person would be shown of a call. Nobody is asked, nothing is held and nothing is recorded. */
  preview(call: Call): Promise<HeldCallView>
  /** Every event, or those of some `kinds`. Returns a function that unsubscribes. */
  subscribe(listener: GateListener, kinds?: readonly GateEvent['kind'][]): () => void
  /** The preset in force. A surface warns about `classic`, under which nothing is held. */
  preset(): string
  /** Whether the policy in force trusts an MCP server. */
  trusts(server: string): boolean
  /** Reads an agent's words with the thresholds and the context of the policy in force. */
  readIntent(text: string, tags?: IntentTags | null): Intent
  /** What is wrong with the policy files right now; empty when they are in force as written. */
  policyProblems(): Promise<readonly PolicyProblem[]>
  /** Signs a last checkpoint and closes the store. Asked calls are withdrawn; submitted ones stay. */
  close(): Promise<void>
}
