import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { type ApprovalSource, NO_APPROVALS } from './approval-source.ts'
import { ServerClockContext } from './server-clock.ts'
import { ApprovalsContext, type UsedApprovals } from './use-approvals.ts'

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
      load: (async (call) => source.load?.(call)) satisfies UsedApprovals['load'],
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
  const used = useMemo((): UsedApprovals => {
    const { decide, load, wouldMatch } = acts
    return { ...approvals, canDecide: link === 'live', decide, load, wouldMatch }
  }, [approvals, link, acts])
  return (
    <ApprovalsContext value={used}>
      <ServerClockContext value={clock}>{children}</ServerClockContext>
    </ApprovalsContext>
  )
}
