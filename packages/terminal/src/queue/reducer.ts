import { batchPlace, MAX_BATCH, type OpenedView, RISK_LEVELS, type RiskLevel, type SafeText } from '@countersign/core'
import type { CallReceipt, DeskEvent } from '../review/approval-source.ts'

/** The state of the queue. */
export interface QueueState {
  /** Soonest deadline first. */
  readonly held: readonly OpenedView[]
  /** The selected call. When it is gone, the one in its place is selected. */
  readonly selected: string | null
  /** Newest first. */
  readonly receipts: readonly CallReceipt[]
  /** Shown until the next event. */
  readonly problem: SafeText | null
  /** Whether the source has reported held calls yet. */
  readonly isRead: boolean
}

export const EMPTY_QUEUE: QueueState = { held: [], selected: null, receipts: [], problem: null, isRead: false }

const RECEIPTS_KEPT = 200

/** The queue after one event. */
export function stepQueue(state: QueueState, event: DeskEvent): QueueState {
  switch (event.kind) {
    case 'held':
      return { ...state, isRead: true, held: event.calls, selected: selectedIn(event.calls, state) }
    case 'receipt':
      return { ...state, problem: null, receipts: withReceipt(state.receipts, event.receipt) }
    case 'problem':
      return { ...state, problem: event.message }
  }
}

/** Selects the next or previous call, wrapping around. */
export function moveInQueue(state: QueueState, by: 1 | -1): QueueState {
  const at = state.held.findIndex(({ view }) => view.id === state.selected)
  const next = state.held.at((at + by) % Math.max(1, state.held.length))
  return next === undefined ? state : { ...state, selected: next.view.id }
}

function selectedIn(calls: readonly OpenedView[], { held, selected }: QueueState): string | null {
  if (calls.some(({ view }) => view.id === selected)) return selected
  const at = Math.max(
    0,
    held.findIndex(({ view }) => view.id === selected),
  )
  return (calls[Math.min(at, calls.length - 1)] ?? calls[0])?.view.id ?? null
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
