import { type Decision, type HeldCallView, LostDecision, type Receipt } from '@countersign/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useDesk } from '../approvals/context.ts'

/** A decision that was refused or lost. */
export interface BatchFailure {
  readonly isLost: boolean
  readonly message: string
  readonly at: number
}

/** Decides the calls of a batch one after the other. */
export interface BatchDecisions {
  /** Receipts by call id. */
  readonly receipts: ReadonlyMap<string, Receipt>
  /** Failures by call id. */
  readonly failures: ReadonlyMap<string, BatchFailure>
  /** Progress; null when idle. */
  readonly progress: { readonly done: number; readonly of: number } | null
  /** Sends the same decision for each call, each with its own signature and journal entry. */
  readonly decide: (views: readonly HeldCallView[], decision: Decision) => Promise<void>
  /** Stops after the decision in flight; the other calls stay held. */
  readonly stop: () => void
}

/** SECURITY: A5 stops when the page is left or disconnected. */
export function useBatchDecisions(): BatchDecisions {
  const { blocked, decide } = useDesk()
  const [receipts, setReceipts] = useState<ReadonlyMap<string, Receipt>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<string, BatchFailure>>(new Map())
  const [progress, setProgress] = useState<BatchDecisions['progress']>(null)
  const isStopped = useRef(false)
  const isBlocked = useRef(false)
  useEffect(() => {
    isBlocked.current = blocked !== null
  }, [blocked])
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])

  return {
    receipts,
    failures,
    progress,
    stop: () => {
      isStopped.current = true
    },
    async decide(views, decision) {
      isStopped.current = false
      for (const [done, view] of views.entries()) {
        if (isStopped.current || isBlocked.current) break
        setProgress({ done, of: views.length })
        setFailures((before) => without(before, view.id))
        await decide(view, decision).then(
          (receipt) => setReceipts((before) => new Map(before).set(view.id, receipt)),
          (error: unknown) => setFailures((before) => new Map(before).set(view.id, failureOf(error))),
        )
      }
      setProgress(null)
    },
  }
}

function failureOf(error: unknown): BatchFailure {
  const message = error instanceof Error ? error.message : 'nothing was decided'
  return { isLost: error instanceof LostDecision, message, at: Date.now() }
}

function without(failures: ReadonlyMap<string, BatchFailure>, id: string): ReadonlyMap<string, BatchFailure> {
  const next = new Map(failures)
  next.delete(id)
  return next
}

/**
 * Receipts of the calls that closed or changed. A call with a lost decision is included only while the page is
 * disconnected; if it is still held after that, it can be decided again.
 */
export function useFinishedCalls(
  views: readonly HeldCallView[],
  { receipts, failures }: Pick<BatchDecisions, 'receipts' | 'failures'>,
): ReadonlyMap<string, Receipt> {
  const { held, closed, link } = useDesk()
  return useMemo(() => {
    const still = new Set(held.map(({ requestDigest }) => requestDigest))
    const over = new Map(receipts)
    for (const { id, requestDigest, openedAt } of views) {
      const told = closed.find(({ view }) => view.id === id && view.requestDigest === requestDigest)
      const failure = failures.get(id)
      if (told !== undefined) over.set(id, told.receipt)
      else if (failure?.isLost === true && link !== 'live') over.set(id, unknown(id, failure))
      else if (!over.has(id) && !still.has(requestDigest)) over.set(id, gone(id, openedAt))
    }
    return over
  }, [held, closed, link, views, receipts, failures])
}

/** The result of the last attempt on a held call. */
export function problemOf(failure: BatchFailure | undefined): string | null {
  if (failure === undefined) return null
  return failure.isLost ? 'Still held. No decision has arrived.' : `Not decided: ${failure.message}`
}

function unknown(id: string, { at, message }: BatchFailure): Receipt {
  return { held: id, accepted: false, state: 'not confirmed', by: null, at, message }
}

function gone(id: string, at: number): Receipt {
  const message = 'it is no longer held as shown; check the list'
  return { held: id, accepted: false, state: 'closed', by: null, at, message }
}
