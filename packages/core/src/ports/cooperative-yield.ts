import type { Clock } from './clock.ts'
import type { Answer } from './maybe-promise.ts'

/** How long one piece of work may keep everybody else waiting. */
const LONG_MS = 10

/** Where one work lets others go on. */
export interface Pause {
  /** Gives others their turn, and resolves then; undefined when the last piece was short, as it nearly always is. */
  next(): Promise<void> | undefined
  /** The same answer; while it is waited for, others go on anyway, so that this time is nobody's work. */
  beside<T>(answer: Answer<T>): Answer<T>
}

/**
 * Gives others their turn between two pieces of one work, for whoever `asker` is. SECURITY: A31, what one asker hands in
 * must not keep the others from their answers. Only what is worked counts: a call that waits for a slow disk is not large.
 */
export function createPause(clock: Clock, asker: string | null): Pause {
  let since = clock.monotonic()

  async function waitFor<T>(answer: Promise<T>): Promise<T> {
    const from = clock.monotonic()
    try {
      return await answer
    } finally {
      since += clock.monotonic() - from
    }
  }

  return {
    next() {
      if (clock.turn === undefined || clock.monotonic() - since < LONG_MS) return undefined
      return clock.turn(asker).then(() => {
        since = clock.monotonic()
      })
    },
    // Where nobody else is served nothing is measured either.
    beside: (answer) => (clock.turn !== undefined && answer instanceof Promise ? waitFor(answer) : answer),
  }
}
