import type { ToolResult } from '@countersign/core'
import { openWorld } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openedKey } from '../home/approver-key.ts'
import { askOnTerminal } from './ask-on-terminal.ts'
import { type MemoryTerminal, memoryTerminal } from './fixture.mts'

/** A gate that asks on in-memory terminals, with time controlled by the test. */
async function asking(policy?: string) {
  const world = await openWorld(policy === undefined ? {} : { policy })
  onTestFinished(() => world.close())
  const terminals: MemoryTerminal[] = []
  const opened = { ...world, places: { workspace: world.workspace, home: '/', gate: '/', temp: '/' } }
  const asked = askOnTerminal(opened, {
    terminal() {
      const terminal = memoryTerminal()
      terminals.push(terminal)
      return terminal
    },
    key: () => openedKey(world.approver),
    onNobody() {},
    withdraw() {},
  })
  world.file('x', 'x')
  const ran: string[] = []
  const call = (id: string, command = 'rm x'): Promise<ToolResult> =>
    world.gate.run({ id, tool: 'execute_command', args: { command } }, () => ran.push(id))
  /** Waits until the call is held and its prompt is armed. */
  const ready = async (): Promise<void> => {
    await world.held()
    await world.clock.advance(1_000)
  }
  return { world, terminals, asked, ran, call, ready }
}

describe('asking on the terminal', () => {
  it('shows simultaneous calls one after the other, and loses none (29)', async () => {
    const { terminals, call, ready, ran } = await asking()
    const results = [call('one', 'rm x; echo 1'), call('two', 'rm x; echo 2')]
    await ready()
    expect(terminals).toHaveLength(1)
    const first = terminals[0]?.written().includes('echo 1') === true ? 'one' : 'two'
    terminals[0]?.type('n')
    await ready()
    expect(terminals).toHaveLength(2)
    terminals[1]?.type('y')
    await settled()
    await Promise.all(results)
    expect(ran).toEqual([first === 'one' ? 'two' : 'one'])
    expect(terminals.map(({ isRaw }) => isRaw)).toEqual([false, false])
  })

  it('re-arms for each call: a key meant for the first has no effect on the second', async () => {
    const { world, terminals, call, ready, ran } = await asking()
    void call('one', 'rm x; echo 1')
    void call('two', 'rm x; echo 2')
    await ready()
    terminals[0]?.type('y')
    await expect.poll(() => terminals.length).toBe(2)
    terminals[1]?.type('y')
    await expect.poll(() => ran.length).toBe(1)
    await settled()
    expect(ran).toHaveLength(1)
    expect(await world.held()).toHaveLength(1)
  })

  it('closes with a receipt when another surface decides first', async () => {
    const { world, terminals, asked, call, ready } = await asking()
    const result = call('one')
    await ready()
    const [view] = await world.held()
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'reject', reason: 'not now' })
    expect(await result).toMatchObject({ outcome: 'rejected' })
    expect(terminals[0]?.written()).toMatch(/rejected by ana \(test\): “not now”\n$/)
    expect(asked.toldRefusal('one')).toBe(true)
  })

  it('closes with a line when the deadline passes', async () => {
    const { world, terminals, call, ready } = await asking()
    const result = call('one')
    await ready()
    await world.clock.advance(300_000)
    expect(await result).toMatchObject({ outcome: 'expired' })
    expect(terminals[0]?.written()).toMatch(/expired: nobody decided before the deadline\n$/)
    expect(terminals[0]?.isRaw).toBe(false)
  })
})
