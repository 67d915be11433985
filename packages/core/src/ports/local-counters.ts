import type { Clock } from './clock.ts'
import type { Ports } from './ports.ts'
import type { Change, Committed, CounterUse, Store } from './store.ts'

/** Uses within this time are one; beyond `MOST` the oldest are merged. */
const GRAIN_MS = 1000
const MOST = 10_000
/** Beyond this many counters the least recently used one is left to the store. INVARIANT: L10. */
const MOST_COUNTERS = 30_000

/**
 * The same ports, with counters that never report less than this process has counted itself. The store's numbers can be
 * edited, and its times follow a wall clock that can be set. SECURITY: A33 A3, neither lets a call past a limit.
 */
export function rememberUses(ports: Ports): Ports {
  const { clock, store } = ports
  const uses = createUses(clock)
  async function counting(change: Change, counted: readonly CounterUse[], beside?: number): Promise<Committed> {
    const committed = await store.commit(change, beside)
    if (committed?.kind === 'committed') for (const use of counted) uses.add(use)
    return committed
  }
  const remembering: Store = {
    ...store,
    commit: (change, beside) =>
      change.count === undefined ? store.commit(change, beside) : counting(change, change.count, beside),
    async counted(session, name, from) {
      const stored = await store.counted(session, name, from)
      return Math.max(stored, uses.since(session, name, from <= 0 ? Number.POSITIVE_INFINITY : clock.now() - from))
    },
  }
  return { ...ports, store: remembering }
}

interface Use {
  at: number
  amount: number
}

function createUses(clock: Clock) {
  const byName = new Map<string, Use[]>()
  const keyOf = (session: string, name: string): string => `${session}\0${name}`
  return {
    add({ session, name, amount }: CounterUse): void {
      const key = keyOf(session, name)
      const list = byName.get(key) ?? []
      byName.delete(key)
      byName.set(key, list)
      const [eldest] = byName.size > MOST_COUNTERS ? byName.keys() : []
      if (eldest !== undefined) byName.delete(eldest)
      const at = clock.monotonic()
      const last = list.at(-1)
      if (last !== undefined && at - last.at < GRAIN_MS) last.amount += amount
      else list.push({ at, amount })
      const [oldest, next] = list
      if (list.length <= MOST || oldest === undefined || next === undefined) return
      next.amount += oldest.amount
      list.shift()
    },
    /** The sum of the last `windowMs`, by the monotonic clock. */
    since(session: string, name: string, windowMs: number): number {
      const from = clock.monotonic() - windowMs
      let sum = 0
      for (const { at, amount } of byName.get(keyOf(session, name)) ?? []) if (at >= from) sum += amount
      return sum
    },
  }
}
