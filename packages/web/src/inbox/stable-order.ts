import type { HeldCall } from '@countersign/react'
import { useMemo, useState } from 'react'

/** A list whose rows keep their places. */
export interface StableOrder {
  readonly shown: readonly HeldCall[]
  /** Held, and not in the list yet; soonest deadline first. */
  readonly fresh: readonly HeldCall[]
  /** Takes them in. */
  readonly show: () => void
}

/**
 * While somebody points at a row or has the focus in the list, no call that comes moves another away from under them.
 * What is over leaves; the one that is open is always among them.
 */
export function useStableOrder(held: readonly HeldCall[], isStill: boolean, selected: string | null): StableOrder {
  const [kept, setKept] = useState<readonly string[]>(() => held.map(({ id }) => id))
  const { shown, fresh } = useMemo(() => stableOrder(kept, held), [kept, held])
  const isLoose = !isStill || shown.length === 0 || fresh.some(({ id }) => id === selected)
  const show = (): void => setKept(held.map(({ id }) => id))
  if (isLoose && (fresh.length > 0 || shown.some((view, at) => view !== held[at]))) show()
  return isLoose ? { shown: held, fresh: [], show } : { shown, fresh, show }
}

/** The calls that were there, in their old order and as they are now, and those that were not. */
export function stableOrder(kept: readonly string[], held: readonly HeldCall[]): Pick<StableOrder, 'shown' | 'fresh'> {
  const now = new Map(held.map((view) => [view.id, view]))
  const known = new Set(kept)
  return {
    shown: kept.flatMap((id) => now.get(id) ?? []),
    fresh: held.filter(({ id }) => !known.has(id)),
  }
}
