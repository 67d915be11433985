import type { HeldCallView, Receipt } from '@countersign/core'
import { type HeldCall, isFull } from '../call/held-call.ts'
import type { Approvals, ConnectionState, Notice } from './approval-source.ts'

const MOST_CLOSED = 50
const MOST_NOTICES = 50

/** What a service tells, as data. */
export type Told =
  | { readonly kind: 'link'; readonly link: ConnectionState }
  | { readonly kind: 'snapshot'; readonly held: readonly HeldCall[]; readonly now: number; readonly at: number }
  | { readonly kind: 'held'; readonly view: HeldCall }
  /** What came in short was read. */
  | { readonly kind: 'whole'; readonly view: HeldCallView }
  /** With `about`, the request that was answered: the call may be asked anew by now, and that is another. */
  | { readonly kind: 'closed'; readonly receipt: Receipt; readonly about?: string }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'now'; readonly now: number; readonly at: number }
  | { readonly kind: 'changed' }

/** The next state of what a surface shows. Pure, so that a stream can be replayed in a test. */
export function reduceApprovals(before: Approvals, told: Told): Approvals {
  switch (told.kind) {
    case 'link':
      return before.link === told.link ? before : { ...before, link: told.link }
    case 'snapshot':
      return snapshot(before, told)
    case 'held':
      return hold(before, told.view)
    case 'whole':
      return complete(before, told.view)
    case 'closed':
      return isAnother(before, told) ? before : close(before, told.receipt)
    case 'notice':
      return { ...before, notices: [told.notice, ...before.notices].slice(0, MOST_NOTICES) }
    case 'now':
      return { ...before, aheadMs: told.now - told.at }
    case 'changed':
      return { ...before, generation: before.generation + 1 }
  }
}

/** A call that is asked anew takes the place of its last request, and of the receipt for it. */
function hold(before: Approvals, view: HeldCall): Approvals {
  const known = before.held.find((one) => one.requestDigest === view.requestDigest)
  const held = byDeadline([...before.held.filter((one) => one.id !== view.id), fuller(known, view)])
  const closed = before.closed.some((one) => one.view.id === view.id)
    ? before.closed.filter((one) => one.view.id !== view.id)
    : before.closed
  return { ...before, held, closed }
}

/** INVARIANT: L6, a call that ended or was asked anew while it was read is not held by that. */
function complete(before: Approvals, view: HeldCallView): Approvals {
  const isMeant = (one: HeldCall) => one.id === view.id && one.requestDigest === view.requestDigest && !isFull(one)
  if (!before.held.some(isMeant)) return before
  return { ...before, held: before.held.map((one) => (isMeant(one) ? view : one)) }
}

/** A view that is still held stays the same object, so that nothing is drawn, hashed or armed again. */
function snapshot(before: Approvals, told: Extract<Told, { kind: 'snapshot' }>): Approvals {
  const known = new Map(before.held.map((view) => [view.requestDigest, view]))
  const held = byDeadline(told.held.map((one) => fuller(known.get(one.requestDigest), one)))
  const ids = new Set(held.map((one) => one.id))
  const gone = before.held
    .filter((view) => !ids.has(view.id))
    .map((view) => ({ view, receipt: unseen(view, told.now) }))
  const closed = gone.length === 0 ? before.closed : [...gone, ...before.closed].slice(0, MOST_CLOSED)
  return { ...before, held, closed, aheadMs: told.now - told.at, generation: before.generation + 1 }
}

function fuller(known: HeldCall | undefined, told: HeldCall): HeldCall {
  return known === undefined || (isFull(told) && !isFull(known)) ? told : known
}

/** It ended while the page was away: what became of it stands in the history. */
function unseen(view: HeldCall, now: number): Receipt {
  const message = 'ended while this page was not connected; see the history'
  return { held: view.id, accepted: false, state: 'closed', by: null, at: now, message }
}

/** INVARIANT: L6, an answer to one request never takes away the next: an edited call that was held in its turn. */
function isAnother(before: Approvals, { receipt, about }: Extract<Told, { kind: 'closed' }>): boolean {
  if (about === undefined) return false
  return before.held.some((view) => view.id === receipt.held && view.requestDigest !== about)
}

function close(before: Approvals, receipt: Receipt): Approvals {
  const view = before.held.find((one) => one.id === receipt.held)
  const held = before.held.filter((one) => one.id !== receipt.held)
  if (view !== undefined)
    return { ...before, held, closed: [{ view, receipt }, ...before.closed].slice(0, MOST_CLOSED) }
  // A second word on a call that is closed here already, such as how its tool ended.
  const closed = before.closed.map((one) =>
    one.view.id === receipt.held && isLater(receipt, one.receipt) ? { ...one, receipt } : one,
  )
  return { ...before, closed }
}

/**
 * A receipt that names who decided is never replaced by one that does not; nor the end of a call by the decision before it:
 * the stream may be quicker than the answer to who decided.
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

const deadlines = new WeakMap<HeldCallView, number>()

/** When a held call expires, from the bytes that are signed; a request that cannot be read comes first. */
export function deadlineOf(view: HeldCall): number {
  if (!isFull(view)) return view.expiresAt
  const known = deadlines.get(view)
  if (known !== undefined) return known
  const at = readDeadline(view.request)
  deadlines.set(view, at)
  return at
}

function readDeadline(request: string): number {
  try {
    const at = (JSON.parse(request) as { readonly expiresAt?: unknown }).expiresAt
    return typeof at === 'number' ? at : 0
  } catch {
    return 0
  }
}
