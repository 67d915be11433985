import { type Decision, type HeldCallView, LostDecision, type Receipt } from '@countersign/react'
import { useEffect, useRef, useState } from 'react'
import { useDesk } from '../approvals/context.ts'

/** A decision that did not count, or of which nobody knows. */
export interface BatchFailure {
  readonly isLost: boolean
  readonly message: string
  readonly at: number
}

/** Deciding one call after the other. */
export interface BatchActs {
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
export function useBatchActs(): BatchActs {
  const { blocked, decide } = useDesk()
  const [receipts, setReceipts] = useState<ReadonlyMap<string, Receipt>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<string, BatchFailure>>(new Map())
  const [progress, setProgress] = useState<BatchActs['progress']>(null)
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
