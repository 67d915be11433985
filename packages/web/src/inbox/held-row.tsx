import {
  agoWords,
  deadlineOf,
  Effect,
  factsOf,
  type HeldCall,
  isWhole,
  maskedBrief,
  maskedEffect,
  RiskBadge,
  Safe,
  TimeLeft,
} from '@countersign/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** One held call in the list: what it would do, who asks, how long there is. */
export function HeldRow({
  view,
  now,
  isSelected,
}: {
  readonly view: HeldCall
  readonly now: number
  readonly isSelected: boolean
}): ReactNode {
  const facts = factsOf(view)
  const brief = maskedBrief(view)
  return (
    <Link
      href={`/held/${encodeURIComponent(view.id)}`}
      className={`row row-${view.risk.level}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span className={brief === '' ? 'row-effect' : 'row-effect row-effect-short'}>
        <Effect text={maskedEffect(view)} request={isWhole(view) ? view.request : null} />
      </span>
      {brief !== '' && (
        <span className="row-brief">
          <Safe text={brief} />
        </span>
      )}
      <span className="row-facts">
        <RiskBadge level={view.risk.level} small />
        {facts?.supervision === 'manual' && <span className="cs-tag">manual</span>}
        <span className="row-who">
          <Safe text={facts === null ? 'cannot be trusted' : `${facts.agent.at(-1) ?? ''} · ${facts.tool}`} />
        </span>
        <span className="row-age">{agoWords(now - view.openedAt)}</span>
        <span className="row-left">
          <TimeLeft expiresAt={deadlineOf(view)} now={now} />
        </span>
      </span>
    </Link>
  )
}
