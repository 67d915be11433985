import { CallEffect, type HeldSummary, maskedEffect, RiskBadge, SafeTextView } from '@countersign/react'
import type { ReactNode } from 'react'

/** A held call while its full view is loading; it cannot be decided yet. INVARIANT: L5 */
export function HeldLoading({
  call,
  problem,
  again,
}: {
  readonly call: HeldSummary
  readonly problem: string | null
  readonly again: () => void
}): ReactNode {
  return (
    <article className={`cs-card cs-edge-${call.risk.level}`} aria-label="Held call, loading">
      <div className="cs-body" aria-busy={problem === null}>
        <header className="cs-card-head">
          <RiskBadge level={call.risk.level} />
          <span className="cs-tool">
            <SafeTextView text={call.tool} />
          </span>
        </header>
        <h2 className="cs-effect">
          <CallEffect text={maskedEffect(call)} request={null} />
        </h2>
        <ReadingNote problem={problem} again={again}>
          Loading the full call ({Math.ceil(call.bytes / 1024).toLocaleString()} KiB). You can decide once it is loaded.
        </ReadingNote>
      </div>
    </article>
  )
}

/** Shows loading text, or the error with a retry button. */
export function ReadingNote({
  problem,
  again,
  children,
}: {
  readonly problem: string | null
  readonly again: () => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <p className="cs-dim" role="status">
      {problem === null ? (
        children
      ) : (
        <>
          Could not load: <SafeTextView text={problem} />.{' '}
          <button type="button" className="cs-quiet" onClick={again}>
            {' '}
            Retry
          </button>
        </>
      )}
    </p>
  )
}
