import { dateWords, levelOf, type PastCall, RiskBadge, Safe, Ticked, tookWords } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { PastCallDetails } from './call-details.tsx'
import { surfaceWords } from './surface-label.ts'

/** One call of the past in a row; opened, everything the journal has of it. */
export function PastRow({
  call,
  nameOf,
  isOpened,
}: {
  readonly call: PastCall
  readonly nameOf: (approver: string) => string
  /** Whether it is open from the start. */
  readonly isOpened: boolean
}): ReactNode {
  const [isOpen, setOpen] = useState(isOpened)
  const { decision } = call
  return (
    <details className="past" open={isOpened} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="past-head">
        <span className="past-when cs-dim">{dateWords(call.openedAt)}</span>
        <span className={`past-outcome outcome-${call.outcome ?? 'open'}`}>{call.outcome ?? call.state}</span>
        <span className="past-what">
          <Ticked text={call.summary} />
          <span className="past-facts cs-dim">
            <RiskBadge level={levelOf(call.risk)} small /> <Safe text={`${call.agent} · ${call.tool} · ${call.rule}`} />
            {decision !== null && (
              <Safe
                text={` · ${decision.kind === 'approve' ? 'approved' : 'rejected'} by ${nameOf(decision.approver)} ${surfaceWords(decision.surface)} after ${tookWords(decision.at - call.openedAt)}`}
              />
            )}
            {decision?.reason != null && (
              <q>
                <Safe text={decision.reason} />
              </q>
            )}
          </span>
        </span>
      </summary>
      {isOpen && <PastCallDetails call={call} nameOf={nameOf} />}
    </details>
  )
}
