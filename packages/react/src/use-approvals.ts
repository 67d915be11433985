import type { HeldSummary } from '@countersign/core'
import { useCallback, useSyncExternalStore } from 'react'
import type { ApprovalSource, Approvals } from './approval-source.ts'

/** What is held at a source, as it changes, and the way to decide. */
export interface UsedApprovals extends Approvals {
  /** False while the page is not live: what is shown may be over by now. */
  readonly canDecide: boolean
  readonly decide: ApprovalSource['decide']
  /** Reads a call whole that came in short; see `useWhole`. */
  readonly load: (call: HeldSummary) => Promise<void>
}

/**
 * Follows a source of approvals.
 *
 * ```tsx
 * const { held, canDecide, decide, load } = useApprovals(source)
 * ```
 */
export function useApprovals(source: ApprovalSource): UsedApprovals {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source])
  const approvals = useSyncExternalStore(subscribe, () => source.current())
  const decide = useCallback<ApprovalSource['decide']>((view, decision) => source.decide(view, decision), [source])
  const load = useCallback(async (call: HeldSummary) => source.load?.(call), [source])
  return { ...approvals, canDecide: approvals.link === 'live', decide, load }
}
