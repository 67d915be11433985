import { type Decision, type HeldCallView, LostDecision, type Receipt } from '@countersign/react'
import { useEffect, useRef, useState } from 'react'
import { useDesk } from '../desk.ts'

/** Deciding one call after the other. */
export interface BatchActs {
  /** What became of each call that was tried, by its id. */
  readonly receipts: ReadonlyMap<string, Receipt>
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
    progress,
    stop: () => {
      isStopped.current = true
    },
    async decide(views, decision) {
      isStopped.current = false
      for (const [done, view] of views.entries()) {
        if (isStopped.current || isBlocked.current) break
        setProgress({ done, of: views.length })
        const receipt = await decide(view, decision).catch((error: unknown) => failed(view, error))
        setReceipts((before) => new Map(before).set(view.id, receipt))
      }
      setProgress(null)
    },
  }
}

function failed(view: HeldCallView, error: unknown): Receipt {
  const message = error instanceof Error ? error.message : 'nothing was decided'
  const state = error instanceof LostDecision ? 'not known' : 'not decided'
  return { held: view.id, accepted: false, state, by: null, at: Date.now(), message }
}
