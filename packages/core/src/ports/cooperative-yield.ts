import type { Clock } from './clock.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** How long one caller may keep the others waiting. */
const LONG_MS = 10

/** Lets other callers run between the steps of one caller's work. */
export interface Turns {
  /** Runs the next step, after the others if the work so far took long. Waiting for its promise is not counted as work. */
  step<T>(work: () => MaybePromise<T>): MaybePromise<T>
  /** Waits for an answer. This is not counted as work: others run meanwhile. */
  waitFor<T>(answer: MaybePromise<T>): MaybePromise<T>
  /** Lets others run if the work so far took long; undefined otherwise, which is nearly always. */
  yieldIfDue(): Promise<void> | undefined
  /** Whether others had a turn. */
  readonly hasYielded: boolean
}

/**
 * Turns for one call of `caller`. SECURITY: A31, a large call of one caller must not keep the others from their answers.
 * Only work counts: a call that waits for a slow disk is not large. Without `clock.turn` nobody else is served, and
 * nothing is measured.
 */
export function createTurns(clock: Clock, caller: string | null): Turns {
  let since = clock.monotonic()
  let hasYielded = false

  async function uncounted<T>(answer: Promise<T>): Promise<T> {
    const from = clock.monotonic()
    try {
      return await answer
    } finally {
      since += clock.monotonic() - from
    }
  }

  function waitFor<T>(answer: MaybePromise<T>): MaybePromise<T> {
    return clock.turn !== undefined && answer instanceof Promise ? uncounted(answer) : answer
  }

  function yieldIfDue(): Promise<void> | undefined {
    if (clock.turn === undefined || clock.monotonic() - since < LONG_MS) return undefined
    hasYielded = true
    return clock.turn(caller).then(() => {
      since = clock.monotonic()
    })
  }

  return {
    step(work) {
      const turn = yieldIfDue()
      return turn === undefined ? waitFor(work()) : turn.then(() => waitFor(work()))
    },
    waitFor,
    yieldIfDue,
    get hasYielded() {
      return hasYielded
    },
  }
}
