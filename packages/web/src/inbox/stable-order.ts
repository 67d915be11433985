import type { HeldCall } from '@countersign/react'
import { useMemo, useState } from 'react'

/** A list with fixed rows. */
export interface StableOrder {
  readonly shown: readonly HeldCall[]
  /** New calls that are not in the list yet, earliest deadline first. */
  readonly fresh: readonly HeldCall[]
  /** Adds the new calls to the list. */
  readonly show: () => void
}

/** Keeps rows in place while the pointer or focus is in the list. Closed calls leave; the open call is always shown. */
export function useStableOrder(held: readonly HeldCall[], isStill: boolean, selected: string | null): StableOrder {
  const [kept, setKept] = useState<readonly string[]>(() => held.map(({ id }) => id))
  const { shown, fresh } = useMemo(() => stableOrder(kept, held), [kept, held])
  const isLoose = !isStill || shown.length === 0 || fresh.some(({ id }) => id === selected)
  const show = (): void => setKept(held.map(({ id }) => id))
  if (isLoose && (fresh.length > 0 || shown.some((view, at) => view !== held[at]))) show()
  return isLoose ? { shown: held, fresh: [], show } : { shown, fresh, show }
}

/** Splits held calls into known ones, in their old order, and new ones. */
export function stableOrder(kept: readonly string[], held: readonly HeldCall[]): Pick<StableOrder, 'shown' | 'fresh'> {
  const now = new Map(held.map((view) => [view.id, view]))
  const known = new Set(kept)
  return {
    shown: kept.flatMap((id) => now.get(id) ?? []),
    fresh: held.filter(({ id }) => !known.has(id)),
  }
}
