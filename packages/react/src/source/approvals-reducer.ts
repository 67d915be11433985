import type { HeldCallView, Receipt } from '@countersign/core'
import { deadlineOf, type HeldCall, isFull } from '../call/held-call.ts'
import type { Approvals, ConnectionState, Notice } from './approval-source.ts'

const MOST_CLOSED = 50
const MOST_NOTICES = 50

/** An event that changes the state. */
export type ApprovalEvent =
  | { readonly kind: 'link'; readonly link: ConnectionState }
  | { readonly kind: 'snapshot'; readonly held: readonly HeldCall[]; readonly now: number; readonly at: number }
  | { readonly kind: 'held'; readonly view: HeldCall }
  /** A summary's full view was loaded. */
  | { readonly kind: 'loaded'; readonly view: HeldCallView }
  /** `about` is the digest of the decided request; the call may have a newer request by now. */
  | { readonly kind: 'closed'; readonly receipt: Receipt; readonly about?: string }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'now'; readonly now: number; readonly at: number }
  | { readonly kind: 'changed' }

/** Applies an event to the state. Pure. */
export function reduceApprovals(before: Approvals, event: ApprovalEvent): Approvals {
  switch (event.kind) {
    case 'link':
      return before.link === event.link ? before : { ...before, link: event.link }
    case 'snapshot':
      return snapshot(before, event)
    case 'held':
      return hold(before, event.view)
    case 'loaded':
      return complete(before, event.view)
    case 'closed':
      return isOutdated(before, event) ? before : close(before, event.receipt)
    case 'notice':
      return { ...before, notices: [event.notice, ...before.notices].slice(0, MOST_NOTICES) }
    case 'now':
      return { ...before, aheadMs: event.now - event.at }
    case 'changed':
      return { ...before, generation: before.generation + 1 }
  }
}

/** A new request replaces the call's previous request or receipt. */
function hold(before: Approvals, view: HeldCall): Approvals {
  const known = before.held.find((one) => one.requestDigest === view.requestDigest)
  const held = byDeadline([...before.held.filter((one) => one.id !== view.id), preferFull(known, view)])
  const closed = before.closed.some((one) => one.view.id === view.id)
    ? before.closed.filter((one) => one.view.id !== view.id)
    : before.closed
  return { ...before, held, closed }
}

/** INVARIANT: L6, ignores a view that was loaded after the call closed or changed. */
function complete(before: Approvals, view: HeldCallView): Approvals {
  const isMeant = (one: HeldCall) => one.id === view.id && one.requestDigest === view.requestDigest && !isFull(one)
  if (!before.held.some(isMeant)) return before
  return { ...before, held: before.held.map((one) => (isMeant(one) ? view : one)) }
}

/** Keeps known view objects, so that nothing is re-rendered, re-verified or re-armed. */
function snapshot(before: Approvals, event: Extract<ApprovalEvent, { kind: 'snapshot' }>): Approvals {
  const known = new Map(before.held.map((view) => [view.requestDigest, view]))
  const held = byDeadline(event.held.map((one) => preferFull(known.get(one.requestDigest), one)))
  const ids = new Set(held.map((one) => one.id))
  const gone = before.held
    .filter((view) => !ids.has(view.id))
    .map((view) => ({ view, receipt: missedReceipt(view, event.now) }))
  const closed = gone.length === 0 ? before.closed : [...gone, ...before.closed].slice(0, MOST_CLOSED)
  return { ...before, held, closed, aheadMs: event.now - event.at, generation: before.generation + 1 }
}

function preferFull(known: HeldCall | undefined, event: HeldCall): HeldCall {
  return known === undefined || (isFull(event) && !isFull(known)) ? event : known
}

/** The receipt of a call that closed while the page was disconnected. */
function missedReceipt(view: HeldCall, now: number): Receipt {
  const message = 'closed while this page was disconnected; see History'
  return { held: view.id, accepted: false, state: 'closed', by: null, at: now, message }
}

/** INVARIANT: L6, a receipt for one request never closes the next one, such as an edited call that is held again. */
function isOutdated(before: Approvals, { receipt, about }: Extract<ApprovalEvent, { kind: 'closed' }>): boolean {
  if (about === undefined) return false
  return before.held.some((view) => view.id === receipt.held && view.requestDigest !== about)
}

function close(before: Approvals, receipt: Receipt): Approvals {
  const view = before.held.find((one) => one.id === receipt.held)
  const held = before.held.filter((one) => one.id !== receipt.held)
  if (view !== undefined)
    return { ...before, held, closed: [{ view, receipt }, ...before.closed].slice(0, MOST_CLOSED) }
  // A second receipt of a closed call, such as its outcome.
  const closed = before.closed.map((one) =>
    one.view.id === receipt.held && isLater(receipt, one.receipt) ? { ...one, receipt } : one,
  )
  return { ...before, closed }
}

/**
 * Keeps a receipt that names the approver over one that does not, and an outcome over the decision before it: the
 * stream may deliver the outcome before the response to the decision arrives.
 */
function isLater(next: Receipt, before: Receipt): boolean {
  return before.by === null || (next.by !== null && (before.accepted || !next.accepted))
}

function byDeadline(held: readonly HeldCall[]): readonly HeldCall[] {
  return held
    .map((view) => ({ view, at: deadlineOf(view) }))
    .sort((a, b) => a.at - b.at)
    .map(({ view }) => view)
}
