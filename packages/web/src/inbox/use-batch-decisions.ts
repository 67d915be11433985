import { type Decision, type HeldCallView, LostDecision, type Receipt } from '@countersign/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useDesk } from '../approvals/context.ts'

/** A decision that did not count, or of which nobody knows. */
export interface BatchFailure {
  readonly isLost: boolean
  readonly message: string
  readonly at: number
}

/** Deciding one call after the other. */
export interface BatchDecisions {
  /** What became of each call that was decided, by its id. */
  readonly receipts: ReadonlyMap<string, Receipt>
  /** Why each of the others was not, as far as is known. */
  readonly failures: ReadonlyMap<string, BatchFailure>
  /** How far it is; null while nothing is on its way. */
  readonly progress: { readonly done: number; readonly of: number } | null
  /** The same decision for each, with a signature and an entry of its own. */
  readonly decide: (views: readonly HeldCallView[], decision: Decision) => Promise<void>
  /** Ends after the one that is on its way; the others stay held. */
  readonly stop: () => void
}

/** SECURITY: A5 nobody who has left the page, or is no longer live, goes on deciding. */
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
 * The calls that are over, by us or by somebody else, or were asked anew meanwhile. One whose decision got lost counts
 * among them only while the page is not live: what is held then is held, and can be decided again.
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

/** What the last try on a call that is still held came to, in words. */
export function problemOf(failure: BatchFailure | undefined): string | null {
  if (failure === undefined) return null
  return failure.isLost ? 'Still held: no decision on it has arrived so far.' : `Not decided: ${failure.message}`
}

function unknown(id: string, { at, message }: BatchFailure): Receipt {
  return { held: id, accepted: false, state: 'not known', by: null, at, message }
}

function gone(id: string, at: number): Receipt {
  const message = 'it is not held as it was shown; look at the list again'
  return { held: id, accepted: false, state: 'over', by: null, at, message }
}
