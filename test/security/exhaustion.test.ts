import type { Call } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { STORE, tamper } from '@countersign/testing/store/test-store'
import { timesAsLong } from '@countersign/testing/time-ratio'
import { afterEach, describe, expect, it } from 'vitest'
import { fate } from './fate.ts'

const MANY = process.env['COUNTERSIGN_FULL'] === undefined ? 1_000 : 10_000
const MEGA = 1024 * 1024

let world: World
afterEach(() => world.close())

function ask(n: number): Call {
  return { tool: 'asked_thing', args: { n }, description: { kind: 'read', paths: ['a'] } }
}
const POLICY =
  'version: 1\nrules:\n  - { id: ask, tool: asked_thing, supervision: confirm }\n  - { id: free, tool: free_thing, supervision: automatic, up_to: critical }\n'

/** The peak memory that some work added. */
async function grownBy(work: () => Promise<unknown>): Promise<number> {
  const used = (): number => {
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    return heapUsed + external + arrayBuffers
  }
  const before = used()
  await work()
  return used() - before
}

describe('A31: every queue, text and tree has a limit, and exceeding it refuses the call', () => {
  it(`holds ${MANY} calls at once, refuses the next with a code and an entry, and accepts another once there is room`, async () => {
    world = await openWorld({ policy: POLICY, options: { bounds: { heldInSession: MANY, held: MANY } } })
    const leaving = new AbortController()
    const held = Array.from({ length: MANY }, (_, n) =>
      world.gate.run(ask(n), () => 1, n === 0 ? leaving.signal : undefined),
    )
    await settled()
    for (
      let turn = 0;
      turn < 200 && (await world.ports.store.calls({ state: 'held', limit: MANY })).length < MANY;
      turn += 1
    )
      await settled()
    expect(await world.gate.run(ask(-1), () => 1)).toMatchObject({
      kind: 'refusal',
      outcome: 'refused',
      code: 'CS_QUEUE_FULL',
    })
    await expect(world.gate.submit(ask(-2))).rejects.toMatchObject({ code: 'CS_QUEUE_FULL' })
    const last = (await world.entries()).slice(-2)
    expect(last).toMatchObject([
      { kind: 'refused', code: 'CS_QUEUE_FULL' },
      { kind: 'refused', code: 'CS_QUEUE_FULL' },
    ])
    leaving.abort()
    expect(await held[0]).toMatchObject({ outcome: 'withdrawn' })
    const next = world.gate.run(ask(-3), () => 1)
    await settled()
    expect(await world.ports.store.calls({ state: 'held', limit: MANY })).toHaveLength(MANY)
    await world.gate.close()
    await Promise.all([...held, next])
  }, 120_000)

  it('never holds more than 10,000 calls in total, even if configured to', async () => {
    world = await openWorld({ policy: POLICY, options: { bounds: { heldInSession: 1e9, held: 1e9 } } })
    await tamper(world.home, `INSERT INTO held VALUES ('t', 10000${STORE === 'postgres' ? ', 0' : ''})`)
    expect(await world.gate.run(ask(1), () => 1)).toMatchObject({ code: 'CS_QUEUE_FULL' })
  })

  it('refuses 100 MB of arguments without copying them, and faster than a copy would take', async () => {
    world = await openWorld({ policy: POLICY })
    const text = 'a'.repeat(100 * MEGA)
    const flat = text.charCodeAt(5) // flattens the rope string before measuring
    expect(flat).toBe(97)
    const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`k${n}`, n]))
    const list = Array.from({ length: 2_000_000 }, () => 0)
    for (const [what, args] of Object.entries({
      text: { text },
      wide,
      list: { list },
      key: { [text]: 1 },
      many: { list: Array.from({ length: 90 }, () => 'b'.repeat(MEGA)) },
    })) {
      const refusing = () => world.gate.run({ tool: 'free_thing', args }, () => 1)
      const grown = await grownBy(async () => {
        const result = await refusing()
        expect(result, what).toMatchObject({ kind: 'refusal', outcome: 'refused', code: 'CS_CALL_TOO_LARGE' })
        if (result.kind === 'refusal') expect(result.message.length).toBeLessThan(500)
      })
      expect(grown / MEGA, what).toBeLessThan(60)
      expect(await timesAsLong(refusing, () => JSON.stringify(args), 20, 10), what).toBeLessThan(20)
    }
    for (const entry of await world.entries()) expect(JSON.stringify(entry).length).toBeLessThan(5_000)
  }, 300_000)

  it('refuses arguments, definitions and edits nested 100,000 levels deep', async () => {
    world = await openWorld({ policy: POLICY })
    let deep: object = {}
    let list: unknown[] = []
    for (let level = 0; level < 100_000; level += 1) {
      deep = { deep }
      list = [list]
    }
    for (const args of [deep, { list }, { a: { deep, list } }]) {
      expect(await world.gate.run({ tool: 'free_thing', args }, () => 1)).toMatchObject({ code: 'CS_CALL_TOO_DEEP' })
    }
    expect(
      await world.gate.run({ tool: { name: 'free_thing', definition: deep as never }, args: {} }, () => 1),
    ).toMatchObject({ kind: 'refusal', outcome: 'refused' })
    expect(await fate(world, { tool: 'free_thing', args: { after: 'all of that' } })).toBe('ran')
  })

  const HUGE: { readonly [what: string]: () => Call } = {
    'a tool name of a megabyte': () => ({ tool: 'x'.repeat(MEGA), args: {} }),
    'a server name of a megabyte': () => ({ tool: { name: 'x', server: 'y'.repeat(MEGA) }, args: {} }),
    'an agent name of a megabyte': () => ({ tool: 'free_thing', args: {}, agent: { name: 'x'.repeat(MEGA) } }),
    '100,000 parents': () => ({
      tool: 'free_thing',
      args: {},
      agent: { name: 'x', parents: Array.from({ length: 100_000 }, () => 'p') },
    }),
    'a call id of a megabyte': () => ({ id: 'x'.repeat(MEGA), tool: 'free_thing', args: {} }),
    'a folder of a megabyte': () => ({ tool: 'free_thing', args: {}, cwd: `/${'x'.repeat(MEGA)}` }),
    '100,000 volatile names': () => ({
      tool: 'free_thing',
      args: {},
      volatile: Array.from({ length: 100_000 }, () => 'x'),
    }),
    '100,000 declared paths': () => ({
      tool: 'free_thing',
      args: {},
      description: { kind: 'write', paths: Array.from({ length: 100_000 }, (_, n) => `/${n}`) },
    }),
    'a declared command of 2 MB': () => ({
      tool: 'free_thing',
      args: {},
      description: { kind: 'execute', command: 'x'.repeat(2 * MEGA) },
    }),
    'a definition of 10 MB': () => ({ tool: { name: 'free_thing', definition: 'x'.repeat(10 * MEGA) }, args: {} }),
    'an infinite deadline': () => ({ tool: 'free_thing', args: {}, timeoutMs: Number.POSITIVE_INFINITY }),
  }
  for (const [what, make] of Object.entries(HUGE)) {
    it(`refuses ${what} with one short line`, async () => {
      world = await openWorld({ policy: POLICY })
      let ran = 0
      const result = await world.gate.run(make(), () => (ran += 1))
      expect(result).toMatchObject({ kind: 'refusal', outcome: 'refused' })
      if (result.kind === 'refusal') expect(result.message).toMatch(/^[^\n]{1,500}$/)
      expect(ran).toBe(0)
    })
  }

  it('truncates text that is only shown: the agent’s words, a description, a confirmation message, a reason', async () => {
    world = await openWorld({ policy: POLICY })
    const long = 'word '.repeat(2 * MEGA)
    const call: Call = {
      ...ask(1),
      tool: { name: 'asked_thing', description: long },
      said: long,
      confirmationMessage: long,
    }
    const result = world.gate.run(call, () => 1)
    const [view] = await world.held()
    if (view === undefined) throw new Error('it should be held')
    expect([view.said?.length, view.toolDescription?.length, view.confirmationMessage?.length]).toEqual([
      4000, 4000, 1000,
    ])
    expect(JSON.stringify(view).length).toBeLessThan(40_000)
    expect(await world.decide(view, { kind: 'reject', reason: long })).toMatchObject({ accepted: false })
    expect(await world.decide(view, { kind: 'reject', reason: 'too long' })).toMatchObject({ accepted: true })
    await result
  })

  it('holds a command of the maximum size without stalling', async () => {
    world = await openWorld({ policy: POLICY })
    const size = 1_000_000
    for (const command of [
      'a '.repeat(size / 2),
      '('.repeat(size),
      '$('.repeat(size / 2),
      'a;'.repeat(size / 2),
      '"'.repeat(size),
      '\n'.repeat(size),
      'cat <<E\n'.repeat(size / 8),
      '{a,b}'.repeat(size / 5),
      '`'.repeat(size),
      'x='.repeat(size / 2),
    ]) {
      expect(await fate(world, { tool: 'execute_command', args: { command } }), command.slice(0, 20)).not.toBe('ran')
    }
  }, 60_000)

  it('shortens a huge tool error in the journal', async () => {
    world = await openWorld({ policy: POLICY })
    const result = await world.gate.run({ tool: 'free_thing', args: {} }, () => {
      throw new Error('x'.repeat(20 * MEGA))
    })
    expect(result).toMatchObject({ kind: 'failed', recorded: true })
    const entries = await world.entries()
    expect(JSON.stringify(entries.at(-1)).length).toBeLessThan(2_000)
  })
})
