/** A small seeded generator (mulberry32): the same seed gives the same run. */
export interface Random {
  readonly seed: number
  /** In [0, 1). */
  next(): number
  /** An integer in [0, below). */
  below(below: number): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    seed,
    next,
    below,
    pick: <T>(items: readonly T[]) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    chance: (probability) => next() < probability,
  }
}
