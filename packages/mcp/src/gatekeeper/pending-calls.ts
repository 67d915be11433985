import type { Call, Gate, Permit, Refusal, Ticket } from '@countersign/core'

/** The call stays held; the client was told to call again. */
export interface StillPending {
  readonly kind: 'pending'
}

/** Calls that were answered with “pending” and wait for the same call to come again. */
export interface PendingCalls {
  /**
   * Asks for a call, or keeps waiting for the same one. INVARIANT: a decision is bound to the key, and collected once.
   * After `limitMs` the answer is `pending`, and the call stays held until its deadline.
   */
  ask(call: Call, key: string, limitMs: number, signal: AbortSignal): Promise<Permit | Refusal | StillPending>
  /** How many calls wait to come again. */
  readonly size: number
  /** Withdraws every call that was not collected. */
  close(): Promise<void>
}

type Asking = Pick<Gate, 'submit' | 'wait' | 'withdraw'>

interface Parked {
  readonly key: string
  readonly ticket: Ticket
}

/** INVARIANT: L10. Beyond this the oldest is withdrawn. */
const MAX_WAITING = 64
const AT_ONCE = AbortSignal.abort()

export function createPendingCalls(gate: Asking): PendingCalls {
  /** Tickets that nobody waits for right now, oldest first; equal calls have one each. */
  let waiting: readonly Parked[] = []

  async function park(one: Parked): Promise<void> {
    const all = [...waiting, one]
    waiting = all.slice(-MAX_WAITING)
    for (const { ticket } of all.slice(0, -MAX_WAITING)) await withdraw(ticket)
  }

  /** Takes the next ticket of a key. */
  function unpark(key: string): Ticket | undefined {
    const found = waiting.find((one) => one.key === key)
    waiting = waiting.filter((one) => one !== found)
    return found?.ticket
  }

  /** A call that has ended need not be withdrawn. */
  async function withdraw(ticket: Ticket): Promise<void> {
    await gate.withdraw(ticket).catch(() => {})
  }

  /**
   * The ticket that a call continues, or a decision that was already made: of several equal calls a person may have
   * decided any.
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
      const timeout = new AbortController()
      const leave = (): void => timeout.abort()
      const timer = setTimeout(leave, limitMs)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        const answer = await gate.wait(ticket, timeout.signal)
        if (!timeout.signal.aborted || !isUndecided(answer)) return answer
        if (signal.aborted) {
          await withdraw(ticket)
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
      for (const { ticket } of left) await withdraw(ticket)
    },
  }
}

/** The gate’s answer to a waiter that left before a decision. */
function isUndecided(answer: Permit | Refusal): boolean {
  return answer.kind === 'refusal' && answer.code === 'CS_WITHDRAWN'
}
