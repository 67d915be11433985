import type { GrantScope, HeldCallView, HeldSummary, WouldMatch } from '@countersign/core'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type HeldCall, isFull } from '../call/held-call.ts'
import { type ApprovalSource, type Approvals, NO_APPROVALS } from './approval-source.ts'
import { ServerClockContext } from './server-clock.ts'

/** The state of a source, and the functions to act on it. */
export interface ApprovalsHandle extends Approvals {
  /** False while the page is not live. */
  readonly canDecide: boolean
  readonly decide: ApprovalSource['decide']
  /** Loads the full view of a summary; see `useFullCall`. */
  readonly load: (call: HeldSummary) => Promise<void>
  /** Counts the past calls a grant would have covered; undefined if the source does not support it. */
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
}

export const ApprovalsContext = createContext<ApprovalsHandle | null>(null)

/**
 * The state of the nearest `ApprovalsProvider`.
 *
 * ```tsx
 * const { held, canDecide, decide, load } = useApprovals()
 * ```
 */
export function useApprovals(): ApprovalsHandle {
  const used = useContext(ApprovalsContext)
  if (used === null) throw new Error('`useApprovals` needs an `ApprovalsProvider` around it')
  return used
}

/**
 * Subscribes to a source and provides its state and clock to the components below.
 *
 * ```tsx
 * <ApprovalsProvider source={source}><Held /></ApprovalsProvider>
 * ```
 */
export function ApprovalsProvider({
  source,
  children,
}: {
  readonly source: ApprovalSource
  readonly children: ReactNode
}): ReactNode {
  const acts = useMemo(
    () => ({
      subscribe: (listener: () => void) => source.subscribe(listener),
      decide: ((view, decision) => source.decide(view, decision)) satisfies ApprovalSource['decide'],
      load: (async (call) => source.load?.(call)) satisfies ApprovalsHandle['load'],
      wouldMatch: source.wouldMatch?.bind(source),
    }),
    [source],
  )
  // Server rendering and hydration start without calls.
  const approvals = useSyncExternalStore(
    acts.subscribe,
    () => source.current(),
    () => NO_APPROVALS,
  )
  const { aheadMs, link } = approvals
  const clock = useMemo(() => ({ aheadMs }), [aheadMs])
  const used = useMemo((): ApprovalsHandle => {
    const { decide, load, wouldMatch } = acts
    return { ...approvals, canDecide: link === 'live', decide, load, wouldMatch }
  }, [approvals, link, acts])
  return (
    <ApprovalsContext value={used}>
      <ServerClockContext value={clock}>{children}</ServerClockContext>
    </ApprovalsContext>
  )
}

/** A held call whose full view may still be loading. */
export interface FullCall {
  /** Null until it is loaded. */
  readonly view: HeldCallView | null
  /** Why loading failed. */
  readonly problem: string | null
  readonly again: () => void
}

/**
 * Returns the full view of a held call and loads it if only its summary arrived.
 *
 * ```tsx
 * const { view, problem } = useFullCall(held[0], load)
 * ```
 */
export function useFullCall(call: HeldCall | undefined, load: ApprovalsHandle['load']): FullCall {
  const [problem, setProblem] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const short = call === undefined || isFull(call) ? undefined : call
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads each request once, and again on retry
  useEffect(() => {
    if (short === undefined) return undefined
    let isLeft = false
    setProblem(null)
    load(short).catch((error: unknown) => {
      if (!isLeft) setProblem(error instanceof Error ? error.message : 'the call could not be loaded')
    })
    return () => {
      isLeft = true
    }
  }, [short?.requestDigest, load, tries])
  return {
    view: call !== undefined && isFull(call) ? call : null,
    problem: short === undefined ? null : problem,
    again: () => setTries(tries + 1),
  }
}
