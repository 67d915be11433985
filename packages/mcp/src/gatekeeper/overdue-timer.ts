import { createDeadlines } from '@countersign/node'

/** Tells of what is not done after a while: nearly everything is done long before. */
export interface Overdue {
  /** Calls `tell` once, unless the returned function is called first. */
  watch(tell: () => void): () => void
}

interface Watched {
  readonly due: number
  readonly tell: () => void
}

export function createOverdue(afterMs: number): Overdue {
  /** In the order of their beginning, which is that of their end. */
  const watched = new Set<Watched>()
  const deadlines = createDeadlines((now) => {
    for (const one of watched) {
      if (one.due > now) return one.due
      watched.delete(one)
      one.tell()
    }
    return Infinity
  })
  return {
    watch(tell) {
      const one = { due: deadlines.within(afterMs), tell }
      watched.add(one)
      return () => watched.delete(one)
    },
  }
}
