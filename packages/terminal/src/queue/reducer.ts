import { batchPlace, MAX_BATCH, type OpenedView, RISK_LEVELS, type RiskLevel, type SafeText } from '@countersign/core'
import type { CallReceipt, DeskEvent } from '../review/approval-source.ts'

/** The queue as data: what waits, which of it is looked at, and what became of the rest. */
export interface QueueState {
  /** Soonest deadline first. */
  readonly held: readonly OpenedView[]
  /** The call that is looked at. It stays when others come; when it goes, the one in its place follows. */
  readonly selected: string | null
  /** Newest first. */
  readonly receipts: readonly CallReceipt[]
  /** Said until something else happens. */
  readonly problem: SafeText | null
  /** Whether the source has said what is held. */
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

/** The queue with another call looked at; it goes round at the ends. */
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

/** A later word on the same call takes the place of the earlier one. */
function withReceipt(receipts: readonly CallReceipt[], receipt: CallReceipt): readonly CallReceipt[] {
  const at = receipts.findIndex(({ callId }) => callId === receipt.callId)
  if (at >= 0) return receipts.with(at, receipt)
  return [receipt, ...receipts].slice(0, RECEIPTS_KEPT)
}

/** How many calls wait of each level, the worst first. */
export function countByRisk(
  held: readonly OpenedView[],
): readonly { readonly level: RiskLevel; readonly count: number }[] {
  return RISK_LEVELS.toReversed()
    .map((level) => ({ level, count: held.filter(({ view }) => view.risk.level === level).length }))
    .filter(({ count }) => count > 0)
}

/**
 * The calls that may be decided together with one, as many as one act decides: of one rule, risk, tool and asker, and
 * nothing the checks complain of. Empty where there is no other.
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
