import { openServiceWorld } from '@countersign/testing/gate/service'
import { expect, it, vi } from 'vitest'
import { RefusedCall } from '../gate/refused-call.ts'
import { runGated } from '../gate/run-gated.ts'
import { openGatekeeper } from './gated-tool.ts'
import type { TicketBook } from './options.ts'

const CALL = { id: 'call_1', args: { to: 'ana' } }

/** Everything around one tool, `jot`, which a person must approve. */
async function openJot() {
  const world = await openServiceWorld()
  const kept = new Map<string, string>()
  const tickets: TicketBook = {
    get: async (id) => kept.get(id),
    set: async (id, ticket) => void kept.set(id, ticket),
  }
  const effect = vi.fn((args: object) => args)
  /** A process of its own, connected to the service. */
  async function connect(durable = true) {
    const gate = await world.connect()
    const keeper = openGatekeeper('test', gate, ['jot'], durable ? { durable: { run: 'chat-7', tickets } } : {})
    const jot = keeper.tool({ name: 'jot' })
    return { jot, run: (signal?: AbortSignal, call = CALL) => runGated(gate, jot.obtain(call), effect, signal) }
  }
  async function approve(): Promise<void> {
    for (const view of await world.held(1)) await world.decide(view, { kind: 'approve' })
  }
  return { world, connect, approve, effect, kept }
}

it('a call waits in a service, and runs after it was approved', async () => {
  const { connect, approve, effect } = await openJot()
  const result = (await connect(false)).run()
  await approve()
  expect(await result).toEqual({ to: 'ana' })
  expect(effect).toHaveBeenCalledOnce()
})

it('a call that waits in a service is withdrawn when the agent stops', async () => {
  const { world, connect, effect } = await openJot()
  const stop = new AbortController()
  const result = (await connect(false)).run(stop.signal)
  await world.held(1)
  stop.abort()
  await expect(result).rejects.toBeInstanceOf(RefusedCall)
  await expect.poll(async () => (await world.entries()).map(({ kind }) => kind)).toContain('withdrawn')
  expect(effect).not.toHaveBeenCalled()
})

it('a durable call of one connection is collected by another, once, with its ticket', async () => {
  const { connect, approve, effect, kept } = await openJot()
  const first = await connect()
  expect(await first.jot.mustPause(CALL)).toBe(true)
  await approve()
  const second = await connect()
  expect(await second.run()).toEqual({ to: 'ana' })
  await expect((await connect()).run()).rejects.toThrow('it is not run again')
  const changed = { ...CALL, args: { to: 'eve' } }
  await expect((await connect()).run(undefined, changed)).rejects.toThrow('another call was submitted')
  kept.clear()
  await expect((await connect()).run()).rejects.toThrow('NOT EXECUTED (refused)')
  expect(effect).toHaveBeenCalledOnce()
})
