import {
  type Call,
  canonicalJson,
  type Gate,
  type Json,
  type Permit,
  type Refusal,
  type Ticket,
} from '@countersign/core'

/** The call is held and stays so: the client was told to ask again. */
export interface StillPending {
  readonly kind: 'pending'
}

/** Calls that were answered with “pending”, waiting for the same call to come again. */
export interface PendingCalls {
  /**
   * Asks for a call, or goes on waiting for the very same one. INVARIANT: a decision is bound to tool and arguments,
   * and collected once. After `limitMs` the answer is `pending`, and the call stays held until its deadline.
   */
  ask(call: Call, key: string, limitMs: number, signal: AbortSignal): Promise<Permit | Refusal | StillPending>
  /** Takes back everything nobody came for. */
  close(): Promise<void>
}

type Asking = Pick<Gate, 'submit' | 'wait' | 'withdraw'>

/** INVARIANT: L10. Past it the oldest is withdrawn. */
const MOST_WAITING = 64

/** What a decision is bound to: the tool as accepted, and the arguments as given. */
export function pendingKey(tool: { readonly name: string; readonly definition: Json }, args: Json | undefined): string {
  return canonicalJson([tool.name, tool.definition, args ?? null])
}

export function createPendingCalls(gate: Asking): PendingCalls {
  /** Tickets that nobody waits for right now, oldest first. */
  const waiting = new Map<string, Ticket>()

  async function park(key: string, ticket: Ticket): Promise<void> {
    const other = waiting.get(key)
    waiting.set(key, ticket)
    const oldest = waiting.size > MOST_WAITING ? waiting.entries().next().value : undefined
    if (oldest !== undefined) waiting.delete(oldest[0])
    for (const left of [other, oldest?.[1]]) if (left !== undefined) await takeBack(left)
  }

  /** A call that is over by now need not be taken back. */
  async function takeBack(ticket: Ticket): Promise<void> {
    await gate.withdraw(ticket).catch(() => {})
  }

  return {
    async ask(call, key, limitMs, signal) {
      const earlier = waiting.get(key)
      waiting.delete(key)
      const ticket = earlier ?? (await gate.submit(call))
      const patience = new AbortController()
      const leave = (): void => patience.abort()
      const timer = setTimeout(leave, limitMs)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        const answer = await gate.wait(ticket, patience.signal)
        const left = answer.kind === 'refusal' && answer.code === 'CS_WITHDRAWN' && patience.signal.aborted
        if (!left) return answer
        if (signal.aborted) {
          await takeBack(ticket)
          return answer
        }
        await park(key, ticket)
        return { kind: 'pending' }
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
    },
    async close() {
      const left = [...waiting.values()]
      waiting.clear()
      for (const ticket of left) await takeBack(ticket)
    },
  }
}
