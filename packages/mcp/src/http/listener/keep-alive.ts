import type { Reply } from './reply.ts'

/** Tells clients that wait for a person, from time to time, that the line still stands: one timer for all who wait. */
export interface StillHere {
  waits(reply: Reply): void
  waitsNoMore(reply: Reply): void
}

const TICK_MS = 1_000
/** How long a client that waits for a person hears nothing. */
const QUIET_TICKS = 15

export function createStillHere(): StillHere {
  /** By the tick at which they last heard something. */
  const waiting = new Map<Reply, number>()
  let ticks = 0
  let timer: NodeJS.Timeout | null = null

  function tick(): void {
    ticks += 1
    if (waiting.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    for (const [reply, since] of waiting) {
      if (ticks - since < QUIET_TICKS) continue
      waiting.set(reply, ticks)
      reply.beat()
    }
  }

  return {
    waits(reply) {
      waiting.set(reply, ticks)
      timer ??= setInterval(tick, TICK_MS).unref()
    },
    waitsNoMore: (reply) => void waiting.delete(reply),
  }
}
