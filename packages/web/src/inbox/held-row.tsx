import {
  agoWords,
  deadlineOf,
  type HeldCallView,
  openHeld,
  RiskBadge,
  Safe,
  TimeLeft,
  toolLabel,
} from '@countersign/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { maskedEffect } from './masked-effect.ts'

/** One held call in the list: what it would do, who asks, how long there is. */
export function HeldRow({
  view,
  now,
  isSelected,
}: {
  readonly view: HeldCallView
  readonly now: number
  readonly isSelected: boolean
}): ReactNode {
  const held = openHeld(view)
  const call = held.kind === 'opened' ? held.opened.body.call : null
  return (
    <Link
      href={`/held/${encodeURIComponent(view.id)}`}
      className={`row row-${view.risk.level}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span className="row-effect">
        <Safe text={maskedEffect(view)} />
      </span>
      <span className="row-facts">
        <RiskBadge level={view.risk.level} small />
        {held.kind === 'opened' && held.opened.body.supervision === 'manual' && <span className="cs-tag">manual</span>}
        <span className="row-who">
          <Safe text={call === null ? 'cannot be trusted' : `${call.agent.at(-1) ?? ''} · ${toolLabel(call.tool)}`} />
        </span>
        <span className="row-age">{agoWords(now - view.openedAt)}</span>
        <span className="row-left">
          <TimeLeft expiresAt={deadlineOf(view)} now={now} />
        </span>
      </span>
    </Link>
  )
}
