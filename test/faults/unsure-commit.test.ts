import { CountersignError, type Ports } from '@countersign/core'
import { openWorld } from '@countersign/testing/gate/world'
import { overlay } from '@countersign/testing/intercept'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `
version: 1
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
`

/** Loses the answer to the commit that makes this entry, after or before it happened. */
function losing(kind: string, when: 'after' | 'before') {
  return (ports: Ports): Ports => {
    const { store } = ports
    return {
      ...ports,
      store: overlay(store, {
        commit: async (change, beside) => {
          const isLost = change.entries.some((entry) => entry.kind === kind)
          if (!isLost || when === 'after') {
            const committed = await store.commit(change, beside)
            if (!isLost) return committed
          }
          throw new CountersignError('CS_STORE_UNSURE', 'the connection was lost; check the call before asking again')
        },
      }),
    }
  }
}

describe('a commit whose outcome can’t be found out', () => {
  for (const tool of ['free_thing', 'asked_thing'])
    for (const when of ['after', 'before'] as const)
      it(`runs nothing and leaves the call unknown: ${tool}, lost ${when} it happened`, async () => {
        const world = await openWorld({ policy: POLICY, wrapPorts: losing('started', when) })
        onTestFinished(() => world.close())
        let ran = 0
        const running = world.gate.run({ tool, args: {} }, () => {
          ran += 1
        })
        if (tool === 'asked_thing') {
          const [view] = await world.held()
          if (view === undefined) throw new Error('no call is held')
          await world.decide(view, { kind: 'approve' })
        }
        const ended = await running
        expect(ended).toMatchObject({ kind: 'refusal', outcome: 'unknown', code: 'CS_STORE_UNSURE' })
        expect(ran).toBe(0)
        const rows = await world.ports.store.calls({})
        expect(rows.every(({ state }) => state === 'closed')).toBe(true)
        if (when === 'after') expect(rows.map(({ outcome }) => outcome)).toEqual(['unknown'])
      })

  it('leaves no card behind when it was the one that held the call', async () => {
    const world = await openWorld({ policy: POLICY, wrapPorts: losing('held', 'after') })
    onTestFinished(() => world.close())
    const ended = await world.gate.run({ tool: 'asked_thing', args: {} }, () => 'ran')
    expect(ended).toMatchObject({ kind: 'refusal', outcome: 'unknown' })
    expect(await world.ports.store.calls({ state: 'held' })).toEqual([])
  })
})
