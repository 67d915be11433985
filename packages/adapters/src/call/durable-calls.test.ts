import type { Gate } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { describe, expect, it, vi } from 'vitest'
import type { AskingGate, KeyedTicket, ServiceGate } from '../gate/asking-gate.ts'
import { runGated } from '../gate/run-gated.ts'
import { permitFor, REJECTED, scriptedGate } from '../gate/scripted-gate.fixture.ts'
import { type GatedTool, openGatekeeper } from './gated-tool.ts'

const POLICY = `version: 1
rules:
  - { tool: send, supervision: confirm, timeout: 24h }
  - { tool: look, supervision: automatic }
  - { tool: wipe, supervision: deny }
`
const CALL = { id: 'call_1', args: { to: 'ana' } }

function durable(gate: AskingGate, name = 'send', run = 'chat-7'): GatedTool {
  return openGatekeeper('test', gate, [name], { durable: { run } }).tool({ name })
}

/** Runs a durable call and counts how often its tool ran. */
function collecting(gate: AskingGate, tool: GatedTool, call = CALL, signal?: AbortSignal) {
  const effect = vi.fn((args: object) => args)
  return { effect, result: runGated(gate, tool.obtain(call), effect, signal) }
}

function sessionless(): Promise<World> {
  return openWorld({ policy: POLICY, options: { session: 'none' } })
}

async function approveAll(world: World): Promise<void> {
  for (const view of await world.held()) await world.decide(view, { kind: 'approve' })
}

describe('a durable call', () => {
  it('pauses the agent, is collected by another process, and runs once', async () => {
    const world = await sessionless()
    expect(await durable(world.gate).mustPause(CALL)).toBe(true)
    await approveAll(world)
    const { gate } = await world.another()
    const first = collecting(gate, durable(gate))
    expect(await first.result).toEqual({ to: 'ana' })
    const again = collecting(gate, durable(gate))
    await expect(again.result).rejects.toThrow('this call is over (completed); it is not run again')
    expect([first.effect.mock.calls.length, again.effect.mock.calls.length]).toEqual([1, 0])
    await world.close()
  })

  it('pauses once for the same call, however often it is looked at', async () => {
    const world = await sessionless()
    expect([await durable(world.gate).mustPause(CALL), await durable(world.gate).mustPause(CALL)]).toEqual([true, true])
    expect(await world.held()).toHaveLength(1)
    await world.close()
  })

  it('does not pause for a call that needs nobody, or that is refused anyway', async () => {
    const world = await sessionless()
    const { gate } = world
    const look = durable(gate, 'look')
    const wipe = durable(gate, 'wipe', 'chat-8')
    expect([await look.mustPause(CALL), await wipe.mustPause(CALL)]).toEqual([false, false])
    expect(await collecting(gate, look).result).toEqual({ to: 'ana' })
    await expect(collecting(gate, wipe).result).rejects.toThrow(/^NOT EXECUTED \(denied\)/)
    await world.close()
  })

  it('runs the arguments that a person edited', async () => {
    const world = await sessionless()
    await durable(world.gate).mustPause(CALL)
    for (const view of await world.held()) await world.decide(view, { kind: 'approve', edited: { to: 'bea' } })
    const { effect, result } = collecting(world.gate, durable(world.gate))
    await result
    expect(effect.mock.calls).toEqual([[{ to: 'bea' }]])
    await world.close()
  })

  it('tells the model what the person said', async () => {
    const world = await sessionless()
    await durable(world.gate).mustPause(CALL)
    for (const view of await world.held()) await world.decide(view, { kind: 'reject', reason: 'call her' })
    expect(await durable(world.gate).mustPause(CALL)).toBe(false)
    await expect(collecting(world.gate, durable(world.gate)).result).rejects.toThrow('The person said: “call her”')
    await world.close()
  })

  it.each<[string, (gate: Gate) => { tool: GatedTool; call: typeof CALL }]>([
    ['other arguments', (gate) => ({ tool: durable(gate), call: { ...CALL, args: { to: 'eve' } } })],
    ['another tool', (gate) => ({ tool: durable(gate, 'look'), call: CALL })],
  ])('runs nothing for a saved state with %s', async (_, edited) => {
    const world = await sessionless()
    await durable(world.gate).mustPause(CALL)
    await approveAll(world)
    const { tool, call } = edited(world.gate)
    const { effect, result } = collecting(world.gate, tool, call)
    await expect(result).rejects.toThrow('another call was submitted under the id')
    expect(effect).not.toHaveBeenCalled()
    expect(await collecting(world.gate, durable(world.gate)).result).toEqual({ to: 'ana' }) // the approved one still can
    await world.close()
  })

  it('of another run is another call, which a person must approve too', async () => {
    const world = await sessionless()
    await durable(world.gate).mustPause(CALL)
    await approveAll(world)
    expect(await durable(world.gate, 'send', 'chat-8').mustPause(CALL)).toBe(true)
    const { effect, result } = collecting(world.gate, durable(world.gate, 'send', 'chat-8'))
    for (const view of await world.held()) await world.decide(view, { kind: 'reject' })
    await expect(result).rejects.toThrow(/^NOT EXECUTED \(rejected\)/)
    expect(effect).not.toHaveBeenCalled()
    await world.close()
  })

  it('stays in the queue when the agent stops', async () => {
    const world = await sessionless()
    const stop = new AbortController()
    const { effect, result } = collecting(world.gate, durable(world.gate), CALL, stop.signal)
    await expect.poll(() => world.held()).toHaveLength(1)
    stop.abort()
    await expect(result).rejects.toThrow(/^NOT EXECUTED \(withdrawn\)/)
    expect({ ran: effect.mock.calls, held: (await world.held()).length }).toEqual({ ran: [], held: 1 })
    await world.close()
  })

  it('is refused without an id of the SDK', async () => {
    const world = await sessionless()
    const call = { id: undefined, args: {} }
    expect(await durable(world.gate).mustPause(call)).toBe(false)
    const { result } = collecting(world.gate, durable(world.gate), call as never)
    await expect(result).rejects.toThrow('the SDK gave this call no id')
    await world.close()
  })

  it('does not pause where the gate fails, and then runs nothing', async () => {
    const broken = { ...scriptedGate(() => permitFor({})), submit: () => Promise.reject(new Error('full disk')) }
    expect(await durable(broken).mustPause(CALL)).toBe(false)
    const { effect, result } = collecting(broken, durable(broken))
    await expect(result).rejects.toThrow('the gate failed, so nothing ran')
    expect(effect).not.toHaveBeenCalled()
  })
})

describe('set-up of durable calls', () => {
  it('needs a gate without a session, which would end with the process', async () => {
    const world = await openWorld({ policy: POLICY })
    expect(() => durable(world.gate)).toThrow("open the gate with `session: 'none'`")
    await world.close()
  })

  it('needs a name for the run', () => {
    expect(() =>
      durable(
        scriptedGate(() => REJECTED),
        'send',
        '',
      ),
    ).toThrow('`durable.run` must name the run')
  })

  it('needs a place for the tickets of a service', () => {
    expect(() => durable(serviceGate().gate)).toThrow('durable calls in a service need `durable.tickets`')
  })
})

/** A stand-in for a service, which gives each submitted call a ticket once. */
function serviceGate() {
  const submitted = new Set<string>()
  const collected: KeyedTicket[] = []
  const gate: ServiceGate = {
    session: 's1',
    ask: async () => REJECTED,
    async submit({ id = '' }) {
      if (submitted.has(id)) throw new Error('another session')
      submitted.add(id)
      return { kind: 'ticket', callId: id, key: `key of ${id}` }
    },
    async wait(ticket) {
      collected.push(ticket)
      return permitFor({ to: 'ana' })
    },
    withdraw: async () => {},
    settle: async () => {},
    isConfirmationRequired: async () => true,
  }
  return { gate, collected }
}

describe('a durable call in a service', () => {
  const withBook = (gate: AskingGate, book: Map<string, string>) =>
    openGatekeeper('test', gate, ['send'], {
      durable: {
        run: 'chat-7',
        tickets: { get: async (id) => book.get(id), set: async (id, text) => void book.set(id, text) },
      },
    }).tool({ name: 'send' })

  it('is collected with the ticket that was kept', async () => {
    const { gate, collected } = serviceGate()
    const book = new Map<string, string>()
    expect(await withBook(gate, book).mustPause(CALL)).toBe(true)
    expect(await collecting(gate, withBook(gate, book)).result).toEqual({ to: 'ana' })
    expect(collected).toEqual([{ kind: 'ticket', callId: expect.any(String), key: expect.stringMatching(/^key of/) }])
  })

  it.each<[string, string, string]>([
    ['was kept for other arguments', '{"key":"k","digest":"d"}', 'another call was submitted'],
    ['is damaged', '{', 'the gate failed, so nothing ran'],
  ])('runs nothing when its ticket %s', async (_, text, words) => {
    const { gate } = serviceGate()
    const book = new Map<string, string>()
    await withBook(gate, book).mustPause(CALL)
    for (const id of book.keys()) book.set(id, text)
    const { effect, result } = collecting(gate, withBook(gate, book))
    await expect(result).rejects.toThrow(words)
    expect(effect).not.toHaveBeenCalled()
  })

  it('runs nothing when its ticket was lost', async () => {
    const { gate } = serviceGate()
    await withBook(gate, new Map()).mustPause(CALL)
    await expect(collecting(gate, withBook(gate, new Map())).result).rejects.toThrow('NOT EXECUTED')
  })
})
