import type { PastCall, Receipt } from '@countersign/core'
import {
  type ApprovalEvent,
  type ApprovalSource,
  type Approvals,
  NO_APPROVALS,
  reduceApprovals,
} from '@countersign/react'
import type { DeskNews, PageDesk } from '../page-desk.ts'

const RETRY_MS = 1_000

/**
 * The held calls of a page's desk, of this tab and every other, for `ApprovalsProvider`.
 *
 * ```tsx
 * <ApprovalsProvider source={pageSource(desk)}><Held /></ApprovalsProvider>
 * ```
 */
export function pageSource(desk: PageDesk): ApprovalSource {
  const listeners = new Set<() => void>()
  let state: Approvals = NO_APPROVALS
  let unwatch = (): void => {}
  let isReading = false
  let isStale = false
  let retry: ReturnType<typeof setTimeout> | undefined

  function apply(event: ApprovalEvent): void {
    const next = reduceApprovals(state, event)
    if (next === state) return
    state = next
    for (const listener of [...listeners]) listener()
  }

  function heed(news: DeskNews): void {
    if (news.kind === 'notice') apply({ kind: 'notice', notice: noticeOf(news) })
    if (news.kind === 'ended') void tellEnd(news.callId).catch(() => {})
    read()
  }

  /** A receipt names what became of a call after its decision. */
  async function tellEnd(id: string): Promise<void> {
    const past = await desk.past(id)
    if (past !== undefined) apply({ kind: 'closed', receipt: receiptOf(past) })
  }

  /** One read at a time; news that arrive meanwhile cause one more. */
  function read(): void {
    isStale = true
    if (isReading) return
    isReading = true
    clearTimeout(retry)
    readAll()
      .then(() => apply({ kind: 'link', link: 'live' }))
      .catch(() => {
        // INVARIANT: L3, nothing is decided on a list that may be out of date.
        apply({ kind: 'link', link: 'offline' })
        if (listeners.size > 0) retry = setTimeout(read, RETRY_MS)
      })
      .finally(() => {
        isReading = false
      })
  }

  async function readAll(): Promise<void> {
    while (isStale && listeners.size > 0) {
      isStale = false
      const held = await desk.list()
      const ids = new Set(held.map(({ id }) => id))
      for (const { id } of state.held) if (!ids.has(id)) await tellEnd(id)
      const now = Date.now()
      apply({ kind: 'snapshot', held, now, at: now })
    }
  }

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) {
        unwatch = desk.watch(heed)
        read()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        unwatch()
        clearTimeout(retry)
      }
    },
    async decide(view, decision) {
      const receipt = await desk.answer(view, decision)
      if (!receipt.accepted && receipt.state === 'held') throw new Error(receipt.message)
      apply({ kind: 'closed', receipt, about: view.requestDigest })
      return receipt
    },
    wouldMatch: (scope) => desk.wouldMatch(scope),
  }
}

function noticeOf({ callId, effect, warnings, judgement }: Extract<DeskNews, { kind: 'notice' }>) {
  const { call, risk } = judgement
  return { callId, effect, warnings, tool: call.tool.name, risk: risk.level, at: Date.now() }
}

function receiptOf({ id, state, outcome, decision, closedAt }: PastCall): Receipt {
  const decided = decision === null ? 'closed' : decision.kind === 'approve' ? 'approved' : 'rejected'
  const became = outcome ?? (state === 'closed' ? 'closed' : decided)
  return { held: id, accepted: false, state: became, by: null, at: closedAt ?? Date.now(), message: became }
}
