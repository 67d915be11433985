import type { Decision, GrantScope, HeldCallView, HeldSummary, Receipt, WouldMatch } from '@countersign/core'
import type { HeldCall } from '../call/held-call.ts'

/** Whether what is shown is what is held right now. Only while it is `live` may anything be decided. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'signed-out'

/** A call that ran under notify: nobody was asked, everybody may know. */
export interface Notice {
  readonly callId: string
  readonly effect: string
  readonly tool: string
  readonly risk: string
  readonly at: number
}

/** A held call that is over, with what became of it. */
export interface Closed {
  readonly view: HeldCall
  readonly receipt: Receipt
}

/** Everything a surface shows, replaced as a whole on every change. */
export interface Approvals {
  readonly link: ConnectionState
  /** Soonest deadline first. */
  readonly held: readonly HeldCall[]
  /** Newest first, bounded: cards turn into receipts, they do not vanish. */
  readonly closed: readonly Closed[]
  readonly notices: readonly Notice[]
  /** How far the service's clock is ahead of this browser's. */
  readonly aheadMs: number
  /** Grows when grants or policy changed: pages that show them read again. */
  readonly generation: number
}

/** Where approvals come from and decisions go: a service over HTTP, or anything that keeps this contract. */
export interface ApprovalSource {
  /** Calls `listener` after every change; the returned function ends it. */
  subscribe(listener: () => void): () => void
  /** The same object until something changes. */
  current(): Approvals
  /** Signs and hands in a decision. Resolves with the receipt, also when somebody else was first. */
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** Reads a held call whole, which then stands in the place of its summary. Not needed where all come whole. */
  load?(call: HeldSummary): Promise<void>
  /** What a grant of this scope would have covered in the past, where that can be said. */
  wouldMatch?(scope: GrantScope): Promise<WouldMatch>
}

/** Nothing known yet. */
export const NO_APPROVALS: Approvals = {
  link: 'connecting',
  held: [],
  closed: [],
  notices: [],
  aheadMs: 0,
  generation: 0,
}
