import { CountersignError } from '@countersign/core'

/** One after the other, with room for everybody else in between. */
export interface Turns {
  /** Resolves when it is this asker's turn to do a longer piece of work. */
  next(asker: string | null): Promise<void>
  /** The asker is gone: what it has waiting, and asks for until the result is called, is rejected. */
  drop(asker: string | null): () => void
}

/**
 * Hands out turns for longer pieces of work. SECURITY: A31, only one of them is done at a time, whoever asked for it,
 * and for as long as it took the loop then belongs to all that is short: a flood of large calls makes nobody wait for
 * more than one piece. Askers take turns, so that what one has waiting delays another's by one piece, too.
 */
export function createTurns(): Turns {
  /** What each asker has waiting, never nothing; whose turn it is comes first. */
  const waiting = new Map<string | null, Waiting[]>()
  const gone = new Set<string | null>()
  let busy = false

  function take(): Waiting | undefined {
    const [first] = waiting
    if (first === undefined) return undefined
    const [asker, own] = first
    const go = own.shift()
    waiting.delete(asker)
    if (own.length > 0) waiting.set(asker, own) // behind all others
    return go
  }

  function give(): void {
    const go = take()
    busy = go !== undefined
    if (go === undefined) return
    const since = performance.now()
    go.resolve()
    // The work is done in what follows the promise, so the time it took is known at the end of this round.
    setImmediate(() => setTimeout(give, performance.now() - since))
  }

  return {
    next(asker) {
      if (gone.has(asker)) return Promise.reject(left())
      const { promise, ...turn } = Promise.withResolvers<void>()
      const own = waiting.get(asker)
      if (own === undefined) waiting.set(asker, [turn])
      else own.push(turn)
      if (!busy) {
        busy = true
        setImmediate(give)
      }
      return promise
    },
    drop(asker) {
      if (asker === null) return () => {}
      gone.add(asker)
      const own = waiting.get(asker) ?? []
      waiting.delete(asker)
      for (const turn of own) turn.reject(left())
      return () => gone.delete(asker)
    },
  }
}

type Waiting = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>

function left(): CountersignError {
  return new CountersignError('CS_WITHDRAWN', 'the asker left before its turn; the call did not run')
}
