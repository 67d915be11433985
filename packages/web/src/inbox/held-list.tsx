import { type HeldCall, useServerNow } from '@countersign/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { HeldRow } from './held-row.tsx'

const ROW = 84

/** The held calls, soonest deadline first. Only the rows in sight are drawn. */
export function HeldList({
  held,
  selected,
}: {
  readonly held: readonly HeldCall[]
  readonly selected: string | null
}): ReactNode {
  const now = useServerNow()
  const frame = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: held.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 6,
    getItemKey: (at) => held[at]?.id ?? at,
  })
  const place = held.findIndex((view) => view.id === selected)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the list
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place, { align: 'auto' })
  }, [selected])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <section ref={frame} className="rows" tabIndex={0} aria-label="Held calls">
      <ul className="rows-all" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const view = held[item.index]
          if (view === undefined) return null
          return (
            <li
              key={item.key}
              className="rows-one"
              aria-setsize={held.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start}px)`, height: item.size }}
            >
              <HeldRow view={view} now={now} isSelected={view.id === selected} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
