import type { GrantScope, HeldSummary, WouldMatch } from '@countersign/core'
import { createContext, useContext } from 'react'
import type { ApprovalSource, Approvals } from './approval-source.ts'

/** What is held at a source, as it changes, and the way to decide. */
export interface UsedApprovals extends Approvals {
  /** False while the page is not live: what is shown may be over by now. */
  readonly canDecide: boolean
  readonly decide: ApprovalSource['decide']
  /** Reads a call whole that came in short; see `useWhole`. */
  readonly load: (call: HeldSummary) => Promise<void>
  /** What a grant would have covered in the past; undefined where the source cannot say. */
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
}

export const ApprovalsContext = createContext<UsedApprovals | null>(null)

/**
 * What the `ApprovalsProvider` around follows.
 *
 * ```tsx
 * const { held, canDecide, decide, load } = useApprovals()
 * ```
 */
export function useApprovals(): UsedApprovals {
  const used = useContext(ApprovalsContext)
  if (used === null) throw new Error('`useApprovals` needs an `ApprovalsProvider` around it')
  return used
}
