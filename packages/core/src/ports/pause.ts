import type { Clock } from './clock.ts'

/** How long one piece of work may keep everybody else waiting. */
const LONG_MS = 10

/**
 * Gives others their turn between two pieces of one work, and resolves then; undefined when the last piece was short,
 * as it nearly always is. SECURITY: A31, what one asker hands in must not keep the others from their answers.
 */
export function createPause(clock: Clock): () => Promise<void> | undefined {
  let since = clock.monotonic()
  return () => {
    if (clock.turn === undefined || clock.monotonic() - since < LONG_MS) return undefined
    return clock.turn().then(() => {
      since = clock.monotonic()
    })
  }
}
