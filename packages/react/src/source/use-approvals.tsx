import type { GrantScope, HeldCallView, HeldSummary, WouldMatch } from '@countersign/core'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type HeldCall, isFull } from '../call/held-call.ts'
import { type ApprovalSource, type Approvals, NO_APPROVALS } from './approval-source.ts'
import { ServerClockContext } from './server-clock.ts'

/** What is held at a source, as it changes, and the way to decide. */
export interface ApprovalsHandle extends Approvals {
  /** False while the page is not live: what is shown may be over by now. */
  readonly canDecide: boolean
  readonly decide: ApprovalSource['decide']
  /** Reads a call whole that came in short; see `useFullCall`. */
  readonly load: (call: HeldSummary) => Promise<void>
  /** What a grant would have covered in the past; undefined where the source cannot say. */
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
}

export const ApprovalsContext = createContext<ApprovalsHandle | null>(null)

/**
 * What the `ApprovalsProvider` around follows.
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
 * Follows a source of approvals for everything below it, which counts deadlines by the source's clock.
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
  // On a server nobody follows anything: what it draws, and what a browser takes over from it, knows of no call yet.
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

/** A held call on its way to being whole. */
export interface FullCall {
  /** Null until it is there. */
  readonly view: HeldCallView | null
  /** Why it could not be read, in words. */
  readonly problem: string | null
  readonly again: () => void
}

/**
 * The whole of a held call, read at its source when only its summary came.
 *
 * ```tsx
 * const { view, problem } = useFullCall(held[0], load)
 * ```
 */
export function useFullCall(call: HeldCall | undefined, load: ApprovalsHandle['load']): FullCall {
  const [problem, setProblem] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const short = call === undefined || isFull(call) ? undefined : call
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same request is read once, and again when it is asked for
  useEffect(() => {
    if (short === undefined) return undefined
    let isLeft = false
    setProblem(null)
    load(short).catch((error: unknown) => {
      if (!isLeft) setProblem(error instanceof Error ? error.message : 'it could not be read')
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
