import type { HeldCallView, Receipt } from '@countersign/core'
import type { Approvals, Link, Notice } from './approval-source.ts'

const MOST_CLOSED = 50
const MOST_NOTICES = 50

/** What a service tells, as data. */
export type Told =
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'snapshot'; readonly held: readonly HeldCallView[]; readonly now: number; readonly at: number }
  | { readonly kind: 'held'; readonly view: HeldCallView }
  | { readonly kind: 'closed'; readonly receipt: Receipt }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'now'; readonly now: number; readonly at: number }
  | { readonly kind: 'changed' }

/** The next state of what a surface shows. Pure, so that a stream can be replayed in a test. */
export function stepApprovals(before: Approvals, told: Told): Approvals {
  switch (told.kind) {
    case 'link':
      return before.link === told.link ? before : { ...before, link: told.link }
    case 'snapshot':
      return snapshot(before, told)
    case 'held':
      return { ...before, held: byDeadline([...before.held.filter((view) => view.id !== told.view.id), told.view]) }
    case 'closed':
      return close(before, told.receipt)
    case 'notice':
      return { ...before, notices: [told.notice, ...before.notices].slice(0, MOST_NOTICES) }
    case 'now':
      return { ...before, aheadMs: told.now - told.at }
    case 'changed':
      return { ...before, generation: before.generation + 1 }
  }
}

/** A view that is still held stays the same object, so that nothing is drawn, hashed or armed again. */
function snapshot(before: Approvals, told: Extract<Told, { kind: 'snapshot' }>): Approvals {
  const known = new Map(before.held.map((view) => [view.requestDigest, view]))
  const held = byDeadline(told.held.map((view) => known.get(view.requestDigest) ?? view))
  const ids = new Set(held.map((view) => view.id))
  const gone = before.held
    .filter((view) => !ids.has(view.id))
    .map((view) => ({ view, receipt: unseen(view, told.now) }))
  const closed = gone.length === 0 ? before.closed : [...gone, ...before.closed].slice(0, MOST_CLOSED)
  return { ...before, held, closed, aheadMs: told.now - told.at, generation: before.generation + 1 }
}

/** It ended while the page was away: what became of it stands in the history. */
function unseen(view: HeldCallView, now: number): Receipt {
  const message = 'ended while this page was not connected; see the history'
  return { held: view.id, accepted: false, state: 'closed', by: null, at: now, message }
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

/** A receipt that names who decided is never replaced by one that does not. */
function isLater(next: Receipt, before: Receipt): boolean {
  return before.by === null || next.by !== null
}

function byDeadline(held: readonly HeldCallView[]): readonly HeldCallView[] {
  return held
    .map((view) => ({ view, at: deadlineOf(view) }))
    .sort((a, b) => a.at - b.at)
    .map(({ view }) => view)
}

const deadlines = new WeakMap<HeldCallView, number>()

/** When a held call expires, from the bytes that are signed; a request that cannot be read comes first. */
export function deadlineOf(view: HeldCallView): number {
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
