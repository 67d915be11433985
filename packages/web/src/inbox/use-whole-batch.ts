import { batchPlaceOf, type HeldCallView, type HeldSummary, isWhole } from '@countersign/react'
import { useEffect, useMemo, useState } from 'react'
import { useDesk } from '../approvals/context.ts'
import type { Batch } from './batches.ts'

/** The calls of a batch on their way to being whole. */
export interface WholeBatch {
  /** Null until all of them are there. */
  readonly views: readonly HeldCallView[] | null
  readonly unread: number
  readonly problem: string | null
  readonly again: () => void
}

/**
 * Reads whole, one after the other, what of a batch came in short. What was there when it was opened is what one press
 * approves: a call that comes later is not slipped in. INVARIANT: L5, nor one whose bytes say that it is no equal.
 */
export function useWholeBatch(batch: Batch): WholeBatch {
  const { held, load } = useDesk()
  const [ready, setReady] = useState<readonly HeldCallView[] | null>(null)
  const [calls] = useState(batch.views)
  const [problem, setProblem] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const known = useMemo(() => new Map(held.map((call) => [call.requestDigest, call])), [held])
  const now = calls.map((call) => (isWhole(call) ? call : known.get(call.requestDigest)))
  const unread = now.filter((call) => call !== undefined && !isWhole(call)).length
  if (ready === null && unread === 0)
    setReady(now.filter((call) => call !== undefined && isWhole(call)).filter((view) => isMember(view, batch.key)))

  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read once, and again when it is asked for
  useEffect(() => {
    let isLeft = false
    async function readAll(short: readonly HeldSummary[]): Promise<void> {
      setProblem(null)
      for (const call of short) if (!isLeft) await load(call)
    }
    readAll(calls.flatMap((call) => (isWhole(call) ? [] : [call]))).catch((error: unknown) => {
      if (!isLeft) setProblem(error instanceof Error ? error.message : 'it could not be read')
    })
    return () => {
      isLeft = true
    }
  }, [calls, load, tries])
  return { views: ready, unread, problem, again: () => setTries(tries + 1) }
}

function isMember(view: HeldCallView, key: string): boolean {
  const place = batchPlaceOf(view)
  return place?.key === key && place.alone === null
}
