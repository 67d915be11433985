import {
  batchPlace,
  MAX_BATCH,
  matchesQueue,
  type OpenedView,
  parseQueueFilter,
  queueFacts,
  RISK_LEVELS,
  type RiskLevel,
  type SafeText,
} from '@countersign/core'
import type { CallReceipt, DeskEvent } from '../review/approval-source.ts'

/** The state of the queue. */
export interface QueueState {
  /** In the order of `queueOrder`. */
  readonly held: readonly OpenedView[]
  /** Hides the calls that do not match it. */
  readonly filter: string
  /** The selected call. When it is gone, the one in its place is selected. */
  readonly selected: string | null
  /** Newest first. */
  readonly receipts: readonly CallReceipt[]
  /** Why everything is paused; null if it is not. */
  readonly paused: SafeText | null
  /** Shown until the next event. */
  readonly problem: SafeText | null
  /** Whether the source has reported held calls yet. */
  readonly isRead: boolean
}

export const EMPTY_QUEUE: QueueState = {
  held: [],
  filter: '',
  selected: null,
  receipts: [],
  paused: null,
  problem: null,
  isRead: false,
}

const RECEIPTS_KEPT = 200

/** The queue after one event. */
export function stepQueue(state: QueueState, event: DeskEvent): QueueState {
  switch (event.kind) {
    case 'held':
      return selectedAgain({ ...state, isRead: true, held: event.calls }, state)
    case 'receipt':
      return { ...state, problem: null, receipts: withReceipt(state.receipts, event.receipt) }
    case 'paused':
      return { ...state, paused: event.why }
    case 'problem':
      return { ...state, problem: event.message }
  }
}

/** Selects the next or previous call, wrapping around. */
export function moveInQueue(state: QueueState, by: 1 | -1): QueueState {
  const shown = shownIn(state)
  const at = shown.findIndex(({ view }) => view.id === state.selected)
  const next = shown.at((at + by) % Math.max(1, shown.length))
  return next === undefined ? state : { ...state, selected: next.view.id }
}

/** Shows only the calls that match. */
export function filterQueue(state: QueueState, filter: string): QueueState {
  return selectedAgain({ ...state, filter }, state)
}

/** The calls that the filter shows. */
export function shownIn({ held, filter }: QueueState): readonly OpenedView[] {
  const terms = parseQueueFilter(filter)
  return terms.length === 0 ? held : held.filter((one) => matchesQueue(queueFacts(one), terms))
}

function selectedAgain(state: QueueState, before: QueueState): QueueState {
  const [calls, { selected }] = [shownIn(state), before]
  if (calls.some(({ view }) => view.id === selected)) return { ...state, selected }
  const at = Math.max(
    0,
    shownIn(before).findIndex(({ view }) => view.id === selected),
  )
  return { ...state, selected: (calls[Math.min(at, calls.length - 1)] ?? calls[0])?.view.id ?? null }
}

/** Adds a receipt, replacing an earlier one of the same call. */
function withReceipt(receipts: readonly CallReceipt[], receipt: CallReceipt): readonly CallReceipt[] {
  const at = receipts.findIndex(({ callId }) => callId === receipt.callId)
  if (at >= 0) return receipts.with(at, receipt)
  return [receipt, ...receipts].slice(0, RECEIPTS_KEPT)
}

/** Number of held calls per risk level, highest first. */
export function countByRisk(
  held: readonly OpenedView[],
): readonly { readonly level: RiskLevel; readonly count: number }[] {
  return RISK_LEVELS.toReversed()
    .map((level) => ({ level, count: held.filter(({ view }) => view.risk.level === level).length }))
    .filter(({ count }) => count > 0)
}

/**
 * The calls that can be decided together with one: same rule, risk, tool and agent, without failed checks, up to the
 * maximum batch size. Empty if there are no others.
 */
export function batchOf(held: readonly OpenedView[], one: OpenedView): readonly OpenedView[] {
  const place = batchPlace(one)
  if (place === null || place.alone !== null) return []
  const others = held.filter((other) => {
    const its = batchPlace(other)
    return other !== one && its?.key === place.key && its.alone === null
  })
  const chosen = new Set([one, ...others.slice(0, MAX_BATCH - 1)])
  return others.length === 0 ? [] : held.filter((other) => chosen.has(other))
}
