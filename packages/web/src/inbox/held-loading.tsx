import { CallEffect, type HeldSummary, maskedEffect, RiskBadge, SafeTextView } from '@countersign/react'
import type { ReactNode } from 'react'

/** A held call whose whole is still to come: there is nothing to decide by yet. INVARIANT: L5 */
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
    <article className={`cs-card cs-edge-${call.risk.level}`} aria-label="Held call, not read yet">
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
          Reading all of it ({Math.ceil(call.bytes / 1024).toLocaleString()} KiB). It can be decided once it is here.
        </ReadingNote>
      </div>
    </article>
  )
}

/** Says that something is being read, or why it could not be, with another try. */
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
          It could not be read: <SafeTextView text={problem} />.{' '}
          <button type="button" className="cs-quiet" onClick={again}>
            Read it again
          </button>
        </>
      )}
    </p>
  )
}
