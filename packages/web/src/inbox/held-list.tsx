import {
  CallEffect,
  deadlineOf,
  formatAgo,
  type HeldCall,
  heldFacts,
  isFull,
  maskedArguments,
  maskedEffect,
  RiskBadge,
  SafeTextView,
  TimeLeft,
  useServerNow,
} from '@countersign/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useStableOrder } from './stable-order.ts'

const ROW = 84

/**
 * The held calls in the order given. Virtualized; rows keep their places while the pointer or focus is in the
 * list.
 */
export function HeldList({
  held,
  selected,
  onStill,
}: {
  readonly held: readonly HeldCall[]
  readonly selected: string | null
  /** Called when rows become fixed or free, so that the surroundings do not move them either. */
  readonly onStill: (isStill: boolean) => void
}): ReactNode {
  const now = useServerNow()
  const frame = useRef<HTMLElement>(null)
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  // Removing the focused row fires no blur event.
  useEffect(() => {
    if (isFocused && frame.current?.contains(document.activeElement) !== true) setFocused(false)
  })
  const isStill = isPointed || isFocused
  useEffect(() => {
    onStill(isStill)
    return () => onStill(false)
  }, [isStill, onStill])
  const { shown, fresh, show } = useStableOrder(held, isStill, selected)
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 6,
    getItemKey: (at) => shown[at]?.id ?? at,
  })
  const place = shown.findIndex((view) => view.id === selected)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection scrolls the list
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place, { align: 'auto' })
  }, [selected])
  return (
    <>
      <section
        ref={frame}
        className="rows"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Held calls"
        onPointerEnter={({ pointerType }) => setPointed(pointerType === 'mouse')}
        onPointerLeave={() => setPointed(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <ul className="rows-all" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const view = shown[item.index]
            if (view === undefined) return null
            return (
              <li
                key={item.key}
                className="rows-one"
                aria-setsize={shown.length}
                aria-posinset={item.index + 1}
                style={{ transform: `translateY(${item.start}px)`, height: item.size }}
              >
                <HeldRow view={view} now={now} isSelected={view.id === selected} />
              </li>
            )
          })}
        </ul>
      </section>
      <OutOfSight shown={shown} range={rows.range} />
      <Fresh calls={fresh} now={now} show={show} />
    </>
  )
}

/** How many rows are above and below those in sight, and the gravest risk among them. */
function OutOfSight({
  shown,
  range,
}: {
  readonly shown: readonly HeldCall[]
  readonly range: { readonly startIndex: number; readonly endIndex: number } | null
}): ReactNode {
  if (range === null) return null
  const above = shown.slice(0, range.startIndex)
  const below = shown.slice(range.endIndex + 1)
  const parts = [
    above.length > 0 ? `${moreWords(above)} above` : '',
    below.length > 0 ? `${moreWords(below)} below` : '',
  ]
  const words = parts.filter((part) => part !== '').join(' · ')
  return words === '' ? null : <p className="rows-unseen cs-dim">{words}</p>
}

function moreWords(calls: readonly HeldCall[]): string {
  const critical = calls.filter(({ risk }) => risk.level === 'critical').length
  return `${calls.length} more${critical === 0 ? '' : `, ${critical} critical,`}`
}

/** Offers to show new calls. Placed below the list, where it does not move the rows. */
function Fresh({
  calls,
  now,
  show,
}: {
  readonly calls: readonly HeldCall[]
  readonly now: number
  readonly show: () => void
}): ReactNode {
  const [soonest] = calls
  if (soonest === undefined) return null
  return (
    <button type="button" className="rows-fresh" onClick={show}>
      <span>
        {calls.length === 1 ? '1 new call' : `${calls.length} new calls`},{' '}
        <TimeLeft expiresAt={deadlineOf(soonest)} now={now} /> left · <b>Show</b>
      </span>
    </button>
  )
}

/** A held call as a row. */
function HeldRow({
  view,
  now,
  isSelected,
}: {
  readonly view: HeldCall
  readonly now: number
  readonly isSelected: boolean
}): ReactNode {
  const facts = heldFacts(view)
  const brief = maskedArguments(view)
  return (
    <Link
      href={`/held/${encodeURIComponent(view.id)}`}
      className={`row row-${view.risk.level}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span className={brief === '' ? 'row-effect' : 'row-effect row-effect-short'}>
        <CallEffect text={maskedEffect(view)} request={isFull(view) ? view.request : null} />
      </span>
      {brief !== '' && (
        <span className="row-brief">
          <SafeTextView text={brief} />
        </span>
      )}
      <span className="row-facts">
        <RiskBadge level={view.risk.level} small />
        {facts?.supervision === 'manual' && <span className="cs-tag">manual</span>}
        <span className="row-who">
          <SafeTextView text={facts === null ? 'invalid request' : `${facts.agent.at(-1) ?? ''} · ${facts.tool}`} />
        </span>
        <span className="row-age">{formatAgo(now - view.openedAt)}</span>
        <span className="row-left">
          <TimeLeft expiresAt={deadlineOf(view)} now={now} />
        </span>
      </span>
    </Link>
  )
}
