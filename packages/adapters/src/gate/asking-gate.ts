import type { Call, JsonObject, Outcome, Refusal, Ticket } from '@countersign/core'

/** The power to run one call once, from a gate in this process or in a service. It is spent already: settle it. */
export interface GivenPermit {
  readonly kind: 'permit'
  readonly callId: string
  /** The arguments to run: those that were approved, which a person may have edited. */
  readonly args: JsonObject
}

/** What a gate answers. */
export type GivenAnswer = GivenPermit | Refusal

/** The asking side of `openGate()`. Its methods have the contracts of core's `Gate`. */
export interface LocalGate {
  readonly session: string | null
  ask(call: Call, signal?: AbortSignal): Promise<GivenAnswer>
  /** Tells this gate from one in a service; adapters never call it. */
  run(...args: never): unknown
  submit(call: Call): Promise<Ticket>
  wait(ticket: Ticket, signal?: AbortSignal): Promise<GivenAnswer>
  withdraw(ticket: Ticket): Promise<void>
  settle(permit: never, outcome: Outcome, detail?: string, result?: unknown): Promise<void>
  isConfirmationRequired(call: Call): Promise<boolean>
}

/** A ticket of a service, with the key that lets its holder collect the call. */
export interface KeyedTicket extends Ticket {
  readonly key: string
}

/** What `connectGate()` returns: the same verbs, in a service. */
export interface ServiceGate {
  readonly session: string
  ask(call: Call, options?: { readonly signal?: AbortSignal }): Promise<GivenAnswer>
  submit(call: Call): Promise<KeyedTicket>
  wait(ticket: KeyedTicket, options?: { readonly signal?: AbortSignal }): Promise<GivenAnswer>
  withdraw(ticket: KeyedTicket): Promise<void>
  settle(permit: { readonly callId: string }, outcome: Outcome, detail?: string): Promise<void>
  isConfirmationRequired(call: Call): Promise<boolean>
}

/**
 * The gate that an adapter asks: in this process (`openGate`) or in a service (`connectGate`). An adapter can ask and never
 * decide.
 */
export type AskingGate = LocalGate | ServiceGate

/** Whether the gate runs in this process. */
export function isLocal(gate: AskingGate): gate is LocalGate {
  return 'run' in gate
}

/** Asks for one call. Aborting `leaving` withdraws it. */
export function askGate(gate: AskingGate, call: Call, leaving: AbortSignal): Promise<GivenAnswer> {
  return isLocal(gate) ? gate.ask(call, leaving) : gate.ask(call, { signal: leaving })
}

/** Records how a permitted call ended. */
export function settleCall(
  gate: AskingGate,
  permit: GivenPermit,
  outcome: 'completed' | 'failed',
  detail?: string,
  result?: unknown,
): Promise<void> {
  // The permit came from this gate, which refuses any other.
  return isLocal(gate) ? gate.settle(permit as never, outcome, detail, result) : gate.settle(permit, outcome, detail)
}
