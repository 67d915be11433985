import { RETURN_MS, type ResumableGate } from '@countersign/core'

/** One connection's part in a session whose asker can come back. */
export interface ResumedSession extends ResumableGate {
  /** This connection is over. `calls` wait for their asker to come back, unless it is over for good. */
  leave(calls: readonly string[], isOver: boolean): Promise<void>
}

/** The sessions of this service whose askers can come back. */
export interface ReturningAskers {
  /** Takes part in a session, which `open` opens if it is not; `left` is called when this part has ended. */
  enter(session: string, open: () => Promise<ResumableGate>, left: () => void): Promise<ResumedSession>
  has(session: string): boolean
  /** Waits for nobody any more: what waits is left to the other services on the store. */
  close(): void
}

interface Shared {
  readonly gate: Promise<ResumableGate>
  users: number
}

/** INVARIANT: L10, connections that broke and whose askers may come back; the eldest is given up for one more. */
const MOST_AWAY = 1_000

/** Keeps sessions for a while after their last connection broke. */
export function createReturningAskers(waitMs: number = RETURN_MS): ReturningAskers {
  const sessions = new Map<string, Shared>()
  const away = new Map<ReturnType<typeof setTimeout>, () => Promise<void>>()
  let closed = false

  async function giveUp(gate: ResumableGate, calls: readonly string[]): Promise<void> {
    for (const call of calls) await gate.giveUp(call).catch(() => {}) // then the next sweep ends it
  }

  async function wait(end: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => void finish(timer), waitMs).unref()
    away.set(timer, end)
    const [eldest] = away.size > MOST_AWAY ? away.keys() : []
    if (eldest !== undefined) await finish(eldest)
  }

  async function finish(timer: ReturnType<typeof setTimeout>): Promise<void> {
    clearTimeout(timer)
    const end = away.get(timer)
    away.delete(timer)
    await end?.()
  }

  return {
    async enter(session, open, left) {
      const shared = sessions.get(session) ?? { gate: open(), users: 0 }
      sessions.set(session, shared)
      shared.users += 1

      async function release(gate: ResumableGate | undefined): Promise<void> {
        shared.users -= 1
        if (shared.users === 0 && sessions.get(session) === shared) {
          sessions.delete(session)
          await gate?.close().catch(() => {}) // its grants are swept once this process is gone
        }
        left()
      }

      let gate: ResumableGate
      try {
        gate = await shared.gate
      } catch (error) {
        shared.users -= 1
        if (sessions.get(session) === shared) sessions.delete(session)
        throw error
      }
      const end = async (calls: readonly string[]): Promise<void> => {
        await giveUp(gate, calls)
        await release(gate)
      }
      return {
        ...gate,
        async leave(calls, isOver) {
          if (isOver) await end(calls)
          else if (!closed) await wait(() => end(calls))
        },
      }
    },
    has: (session) => sessions.has(session),
    close() {
      closed = true
      for (const timer of away.keys()) clearTimeout(timer)
      away.clear()
    },
  }
}
