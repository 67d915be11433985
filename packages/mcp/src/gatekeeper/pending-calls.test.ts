import type { Permit, Refusal, Ticket } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { createPendingCalls } from './pending-calls.ts'

const NEVER = new AbortController().signal
const LEFT = { kind: 'refusal', code: 'CS_WITHDRAWN' } as Refusal

/** A gate whose tickets are decided by the test. */
function handGate() {
  const decided = new Map<string, Permit | Refusal>()
  const withdrawn: string[] = []
  let count = 0
  return {
    decided,
    withdrawn,
    gate: {
      submit: async (): Promise<Ticket> => {
        count += 1
        return { kind: 'ticket', callId: `t${count}` }
      },
      wait: async ({ callId }: Ticket, signal?: AbortSignal) => {
        const there = decided.get(callId)
        if (there !== undefined) return there
        if (signal?.aborted !== true)
          await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
        return decided.get(callId) ?? LEFT
      },
      withdraw: async ({ callId }: Ticket) => void withdrawn.push(callId),
    },
  }
}

const call = { tool: 'x', args: {} }
const permit = (callId: string) => ({ kind: 'permit', callId }) as Permit

describe('calls that wait for a retry', () => {
  it.each(['t1', 't2', 't3'])('keep the decision on %s, whichever of three equal calls it is', async (which) => {
    const { gate, decided, withdrawn } = handGate()
    const pending = createPendingCalls(gate)
    const ask = () => pending.ask(call, 'key', 0, NEVER)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 2, 3].map(() => ({ kind: 'pending' })))
    decided.set(which, permit(which))
    expect(await ask()).toEqual(permit(which))
    expect(withdrawn).toEqual([])
    await pending.close()
    expect(withdrawn.toSorted()).toEqual(['t1', 't2', 't3'].filter((one) => one !== which))
  })

  it('are found only by their own key', async () => {
    const { gate, decided } = handGate()
    const pending = createPendingCalls(gate)
    await pending.ask(call, 'a', 0, NEVER)
    decided.set('t1', permit('t1'))
    expect(await pending.ask(call, 'b', 0, NEVER)).toEqual({ kind: 'pending' })
    expect(await pending.ask(call, 'a', 0, NEVER)).toEqual(permit('t1'))
  })

  it('are limited to 64: the oldest is withdrawn', async () => {
    const { gate, withdrawn } = handGate()
    const pending = createPendingCalls(gate)
    for (let at = 0; at < 66; at += 1) await pending.ask(call, `key ${at}`, 0, NEVER)
    expect(withdrawn).toEqual(['t1', 't2'])
  })

  it('are withdrawn when the asker disconnects', async () => {
    const { gate, withdrawn } = handGate()
    const pending = createPendingCalls(gate)
    await pending.ask(call, 'a', 60_000, AbortSignal.abort())
    expect(withdrawn).toEqual(['t1'])
  })
})
