/** One after the other, with room for everybody else in between. */
export interface Turns {
  /** Resolves when it is one's turn to do a longer piece of work. */
  next(): Promise<void>
}

/**
 * Hands out turns for longer pieces of work. SECURITY: A31, only one of them is done at a time, whoever asked for it,
 * and for as long as it took the loop then belongs to all that is short: a flood of large calls makes nobody wait for
 * more than one piece.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let busy = false

  function give(): void {
    const go = waiting.shift()
    busy = go !== undefined
    if (go === undefined) return
    const since = performance.now()
    go()
    // The work is done in what follows the promise, so the time it took is known at the end of this round.
    setImmediate(() => setTimeout(give, performance.now() - since))
  }

  return {
    next() {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      if (!busy) {
        busy = true
        setImmediate(give)
      }
      return promise
    },
  }
}
