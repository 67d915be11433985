/** Tells of what is not done after a while. One timer serves all: nearly everything is done long before. */
export interface Overdue {
  /** Calls `tell` once, unless the returned function is called first. */
  watch(tell: () => void): () => void
}

interface Watched {
  readonly due: number
  readonly tell: () => void
}

export function createOverdue(afterMs: number, now: () => number = () => performance.now()): Overdue {
  /** In the order of their beginning, which is that of their end. */
  const watched = new Set<Watched>()
  let isArmed = false

  function arm(ms: number): void {
    isArmed = true
    setTimeout(ring, ms).unref()
  }

  function ring(): void {
    isArmed = false
    for (const one of watched) {
      const left = one.due - now()
      if (left > 0) {
        arm(Math.ceil(left))
        return
      }
      watched.delete(one)
      one.tell()
    }
  }

  return {
    watch(tell) {
      const one = { due: now() + afterMs, tell }
      watched.add(one)
      if (!isArmed) arm(afterMs)
      return () => watched.delete(one)
    },
  }
}
