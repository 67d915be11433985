import type { Call, Gate, Permit, Refusal, Ticket } from '@countersign/core'

/** The call is held and stays so: the client was told to ask again. */
export interface StillPending {
  readonly kind: 'pending'
}

/** Calls that were answered with “pending”, waiting for the same call to come again. */
export interface PendingCalls {
  /**
   * Asks for a call, or goes on waiting for the very same one. INVARIANT: a decision is bound to what the key says,
   * and collected once. After `limitMs` the answer is `pending`, and the call stays held until its deadline.
   */
  ask(call: Call, key: string, limitMs: number, signal: AbortSignal): Promise<Permit | Refusal | StillPending>
  /** How many wait for their call to come again. */
  readonly size: number
  /** Takes back everything nobody came for. */
  close(): Promise<void>
}

type Asking = Pick<Gate, 'submit' | 'wait' | 'withdraw'>

interface Parked {
  readonly key: string
  readonly ticket: Ticket
}

/** INVARIANT: L10. Past it the oldest is withdrawn. */
const MOST_WAITING = 64
const AT_ONCE = AbortSignal.abort()

export function createPendingCalls(gate: Asking): PendingCalls {
  /** Tickets that nobody waits for right now, oldest first; equal calls have one each. */
  let waiting: readonly Parked[] = []

  async function park(one: Parked): Promise<void> {
    const all = [...waiting, one]
    waiting = all.slice(-MOST_WAITING)
    for (const { ticket } of all.slice(0, -MOST_WAITING)) await takeBack(ticket)
  }

  /** The next ticket of a key that nobody waits for; from then on somebody does. */
  function unpark(key: string): Ticket | undefined {
    const found = waiting.find((one) => one.key === key)
    waiting = waiting.filter((one) => one !== found)
    return found?.ticket
  }

  /** A call that is over by now need not be taken back. */
  async function takeBack(ticket: Ticket): Promise<void> {
    await gate.withdraw(ticket).catch(() => {})
  }

  /**
   * Which ticket a call goes on with, or what was decided on one already: of several equal calls a person may have
   * decided on any.
   */
  async function resume(key: string): Promise<Ticket | Permit | Refusal | undefined> {
    const several = waiting.filter((one) => one.key === key).length
    for (let looked = 0; several > 1 && looked < several; looked += 1) {
      const ticket = unpark(key)
      if (ticket === undefined) break
      const answer = await gate.wait(ticket, AT_ONCE)
      if (!isUndecided(answer)) return answer
      await park({ key, ticket })
    }
    return unpark(key)
  }

  return {
    async ask(call, key, limitMs, signal) {
      const earlier = await resume(key)
      if (earlier !== undefined && earlier.kind !== 'ticket') return earlier
      const ticket = earlier ?? (await gate.submit(call))
      const patience = new AbortController()
      const leave = (): void => patience.abort()
      const timer = setTimeout(leave, limitMs)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        const answer = await gate.wait(ticket, patience.signal)
        if (!patience.signal.aborted || !isUndecided(answer)) return answer
        if (signal.aborted) {
          await takeBack(ticket)
          return answer
        }
        await park({ key, ticket })
        return { kind: 'pending' }
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
    },
    get size() {
      return waiting.length
    },
    async close() {
      const left = waiting
      waiting = []
      for (const { ticket } of left) await takeBack(ticket)
    },
  }
}

/** The gate's word for a waiter that left while nobody had decided. */
function isUndecided(answer: Permit | Refusal): boolean {
  return answer.kind === 'refusal' && answer.code === 'CS_WITHDRAWN'
}
