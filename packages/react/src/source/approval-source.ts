import type { Decision, GrantScope, HeldCallView, HeldSummary, Receipt, WouldMatch } from '@countersign/core'
import type { HeldCall } from '../call/held-call.ts'

/** Whether the page is up to date. Decisions are possible only while it is `live`. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'signed-out'

/** A call that ran under notify supervision. */
export interface Notice {
  readonly callId: string
  readonly effect: string
  readonly tool: string
  readonly risk: string
  readonly at: number
  /** What the checkers warned of, such as a change without undo. */
  readonly warnings?: readonly string[]
}

/** A closed call with its receipt. */
export interface Closed {
  readonly view: HeldCall
  readonly receipt: Receipt
}

/** The state that a surface renders. Immutable: every change creates a new object. */
export interface Approvals {
  readonly link: ConnectionState
  /** Soonest deadline first. */
  readonly held: readonly HeldCall[]
  /** Newest first, bounded. */
  readonly closed: readonly Closed[]
  readonly notices: readonly Notice[]
  /** Offset of the service's clock from this browser's. */
  readonly aheadMs: number
  /** Incremented when grants or policy changed, so that pages refetch them. */
  readonly generation: number
}

/** Supplies held calls and takes decisions: a service over HTTP, or your own implementation. */
export interface ApprovalSource {
  /** Calls `listener` after every change; returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void
  /** The same object until something changes. */
  current(): Approvals
  /** Signs and submits a decision. Resolves with the receipt, even if somebody else decided first. */
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** Loads the full view of a call, which then replaces its summary. Not needed if all calls arrive as full views. */
  load?(call: HeldSummary): Promise<void>
  /** Counts the past calls that a grant of this scope would have covered. */
  wouldMatch?(scope: GrantScope): Promise<WouldMatch>
}

/** The state before the first event. */
export const NO_APPROVALS: Approvals = {
  link: 'connecting',
  held: [],
  closed: [],
  notices: [],
  aheadMs: 0,
  generation: 0,
}
