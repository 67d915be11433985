import {
  type Call,
  CountersignError,
  type Gate,
  type Permit,
  type Refusal,
  type ResumableGate,
  type Ticket,
} from '@countersign/core'
import type { AskerLine, ServiceLine } from '@countersign/node'
import { isSame } from '../wire/constant-time-equal.ts'
import { wordsOf } from '../wire/public-error.ts'
import { createJudgingSlots } from './judging-slots.ts'

/** What an asker needs who can come back after its connection broke. */
export interface Resumable extends Pick<ResumableGate, 'askAgain' | 'report'> {
  /** The connection broke, or its asker said goodbye: these calls wait for it a while, or not at all. */
  leave(calls: readonly string[], isOver: boolean): Promise<void>
}

/** An asker that was let in. */
export interface Admitted {
  readonly gate: Gate
  /** Absent for an asker whose calls end with its connection. */
  readonly resumable?: Resumable
  /** The id of a call whose asker gave none. */
  newId(): string
  /** The key of a ticket of this workspace. SECURITY: A10, an id alone gives no access to another client's call. */
  ticketKey(callId: string): string
  /** Until when a call is held; undefined when it is not. */
  deadlineOf(callId: string): Promise<number | undefined>
}

/** Lines of one asker in work at once, and permits whose end it has not told; more are refused. INVARIANT: L10. */
const MAX_IN_FLIGHT = 10_000

const NOT_RESUMABLE = 'this session can’t be taken up again; send `resume` with the hello'

/** One asker that was let in: its calls in flight and its permits. */
export function createAsker(
  { gate, resumable, newId, ticketKey, deadlineOf }: Admitted,
  label: string | undefined,
  write: (line: ServiceLine) => void,
) {
  const asks = new Map<number, AbortController>()
  const permits = new Map<string, Permit>()
  const waiting = new Map<string, number>()
  const running = new Map<number, Promise<void>>()
  const held = new Map<number, ServiceLine>()
  const slots = createJudgingSlots()
  /** Asked calls whose answer was not sent. */
  const left = new Set<string>()
  let gone = false
  let isOver = false
  const unsubscribe = gate.subscribe(
    (event) => {
      if (event.kind !== 'held') return
      const id = waiting.get(event.callId)
      if (id === undefined) return
      slots.release(id)
      held.set(id, { id, held: { callId: event.callId, expiresAt: event.expiresAt } })
      setImmediate(tellHeld, id) // whoever decides is told first: all the asker can do is wait
    },
    ['held'],
  )

  function tellHeld(id: number): void {
    const line = held.get(id)
    if (line === undefined) return
    held.delete(id)
    write(line)
  }

  /** What was handed in before is held already: whoever waits for it hears until when. */
  async function tellWaiting(id: number, callId: string): Promise<void> {
    const expiresAt = await deadlineOf(callId).catch(() => undefined)
    if (expiresAt !== undefined && asks.has(id)) write({ id, held: { callId, expiresAt } })
  }

  /**
   * Throws for a number that is in use: an error under it would answer the line that still runs. Resolves when more may be
   * read; undefined if that is now.
   */
  function hear(line: AskerLine): Promise<void> | undefined {
    if (running.has(line.id))
      throw new CountersignError('CS_PROTOCOL', `the id ${line.id} is in use; use a new id for each line`)
    running.set(line.id, work(line))
    return slots.room()
  }

  async function work(line: AskerLine): Promise<void> {
    let answered: ServiceLine
    try {
      answered = await answer(line)
    } catch (error) {
      answered = { id: line.id, error: wordsOf(error) }
    }
    tellHeld(line.id) // before the answer, or not at all
    running.delete(line.id)
    write(answered)
  }

  async function answer(line: AskerLine): Promise<ServiceLine> {
    const { id } = line
    if (running.size >= MAX_IN_FLIGHT)
      throw new CountersignError(
        'CS_QUEUE_FULL',
        'this connection has too much data waiting; wait for answers before you ask more',
      )
    switch (line.do) {
      case 'ask': {
        const call = named(line.call)
        // `await`, since an async function that returns a promise comes back three turns later: somebody waits.
        const ask = line.again === true ? resumable?.askAgain : gate.ask
        if (ask === undefined) throw new CountersignError('CS_PROTOCOL', NOT_RESUMABLE)
        if (line.again === true) void tellWaiting(id, call.id)
        return await decided(id, call.id, (signal) => slots.run(id, () => ask(call, signal)))
      }
      case 'wait':
        return await decided(id, line.callId, (signal) => {
          const ticket = ticketOf(line)
          void tellWaiting(id, ticket.callId)
          return gate.wait(ticket, signal)
        })
      case 'submit': {
        const call = named(line.call)
        const ticket = await slots.run(id, () => gate.submit(call))
        return { id, ticket: { ...ticket, key: ticketKey(ticket.callId) } }
      }
      case 'withdraw':
        await gate.withdraw(ticketOf(line))
        return { id, done: true }
      case 'settle': {
        const permit = permits.get(line.callId)
        if (permit !== undefined) await gate.settle(permit, line.outcome, line.detail)
        else if (resumable !== undefined) await resumable.report(line.callId, line.outcome, line.detail)
        else throw new CountersignError('CS_PERMIT_FORGED', 'this connection has no permit for this call')
        permits.delete(line.callId)
        return { id, done: true }
      }
      case 'cancel':
        asks.get(line.of)?.abort()
        return { id, done: true }
      case 'leave':
        isOver = true
        return { id, done: true }
      case 'required':
        return { id, required: await slots.run(id, () => gate.isConfirmationRequired(line.call)) }
    }
  }

  async function decided(
    id: number,
    callId: string,
    ask: (signal: AbortSignal) => Promise<Permit | Refusal>,
  ): Promise<ServiceLine> {
    if (permits.size >= MAX_IN_FLIGHT)
      throw new CountersignError(
        'CS_QUEUE_FULL',
        'too many permits were never settled; settle each when its tool ended',
      )
    const abort = new AbortController()
    asks.set(id, abort)
    waiting.set(callId, id)
    try {
      const found = await ask(gone ? AbortSignal.abort('gone') : abort.signal)
      if (gone) left.add(callId)
      if (found.kind === 'refusal') return { id, refusal: found }
      const { callDigest, args, approvedBy } = found
      permits.set(found.callId, found)
      if (gone && resumable === undefined) await lose(found)
      return { id, permit: { kind: 'permit', callId: found.callId, callDigest, args, approvedBy } }
    } finally {
      asks.delete(id)
      if (waiting.get(callId) === id) waiting.delete(callId)
    }
  }

  function ticketOf({ callId, key }: { readonly callId: string; readonly key: string }): Ticket {
    if (isSame(key, ticketKey(callId))) return { kind: 'ticket', callId }
    throw new CountersignError(
      'CS_TICKET_UNKNOWN',
      `no call \`${callId}\` was submitted with this ticket; submit it first`,
    )
  }

  /** The id is known before the call is held, so that its asker can be told. An agent without a name is its connection's. */
  function named(call: Call): Call & { readonly id: string } {
    const id = call.id ?? newId()
    if (call.agent !== undefined || label === undefined) return { ...call, id }
    return { ...call, agent: { name: label }, id }
  }

  /** INVARIANT: L7, a permit that was sent may have been used, and the client can no longer tell. */
  async function lose(permit: Permit): Promise<void> {
    permits.delete(permit.callId)
    await gate.settle(permit, 'unknown', 'the agent disconnected').catch(() => {}) // then the next sweep records it
  }

  /** Nobody is there any more: nothing it asked is to begin. */
  function abandon(): void {
    gone = true
    slots.drop()
    for (const ask of asks.values()) ask.abort('gone')
  }

  return {
    hear,
    abandon,
    async leave(): Promise<void> {
      abandon()
      await Promise.allSettled(running.values())
      unsubscribe()
      if (resumable !== undefined) return resumable.leave([...left, ...permits.keys()], isOver)
      await Promise.all([...permits.values()].map(lose))
      await gate.close()
    },
  }
}
