import type { HeldCallView, Receipt } from '@countersign/react'
import { useMemo } from 'react'
import { useDesk } from '../approvals/context.ts'
import type { BatchActs, BatchFailure } from './use-batch-decisions.ts'

/**
 * The calls that are over, by us or by somebody else, or were asked anew meanwhile. One whose decision got lost counts
 * among them only while the page is not live: what is held then is held, and can be decided again.
 */
export function useOver(
  views: readonly HeldCallView[],
  { receipts, failures }: Pick<BatchActs, 'receipts' | 'failures'>,
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
