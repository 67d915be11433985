import { openWorld } from '@countersign/testing/gate/world'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { scriptedModel } from '../model/scripted-model.ts'
import { createAgent } from './agent.ts'
import type { AgentEvent } from './event.ts'
import { marker, PATIENCE, reader } from './fixture.mts'

const POLICY =
  'version: 1\nrules:\n  - { id: no, tool: denied, supervision: deny }\n  - { id: tell, tool: told, supervision: notify, up_to: high }\n'
const TOOLS = [
  reader('automatic'),
  reader('broken', () => {
    throw new Error('broken')
  }),
  marker('denied'),
  marker('told'),
  marker('asked'),
]

/** The grammar of a call's life cycle, as on the reference page. */
const LIFE =
  /^requested (?:refused|judged (?:refused|(?:notice )?started (?:output )*(?:completed|failed)|held (?:refused|approved started (?:output )*(?:completed|failed))))$/

it('every call, however it is decided, has one complete life cycle and is answered in its place', async () => {
  const world = await openWorld({ policy: POLICY })
  const anyCall = fc.record({
    tool: fc.constantFrom('automatic', 'broken', 'denied', 'told', 'asked', 'nowhere'),
    decision: fc.constantFrom('approve' as const, 'reject' as const),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 8 }), async (asked) => {
      const calls = asked.map(({ tool }, n) => ({ tool, args: { n } }))
      const model = scriptedModel({ name: 'random', turns: [{ calls }, { text: 'Done.' }] })
      const { gate, workspace, clock } = world
      const agent = createAgent({ name: 'clerk', model, gate, tools: TOOLS, workspace, clock })
      const events: AgentEvent[] = []
      agent.subscribe((event) => events.push(event))
      const done = agent.say('go')
      const holding = asked.filter(({ tool }) => tool === 'asked').length
      await vi.waitFor(async () => expect(await world.held()).toHaveLength(holding), PATIENCE)
      for (const view of await world.held()) {
        const { n } = (JSON.parse(view.request) as { call: { args: { n: number } } }).call.args
        await world.decide(view, { kind: asked[n]?.decision ?? 'reject' })
      }
      await done
      const ids = events.flatMap((event) => (event.kind === 'requested' ? [event.callId] : []))
      const lives = ids.map((id) =>
        events.flatMap((event) => ('callId' in event && event.callId === id ? [event.kind] : [])).join(' '),
      )
      expect(lives).toHaveLength(asked.length)
      for (const life of lives) expect(life).toMatch(LIFE)
      const results = agent.messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
      expect(results.map(({ id }) => id)).toEqual(asked.map((_, n) => `call_1_${n + 1}`))
      expect(results.map(({ isError }) => isError)).toEqual(
        asked.map(
          ({ tool, decision }) =>
            !(tool === 'automatic' || tool === 'told' || (tool === 'asked' && decision === 'approve')),
        ),
      )
    }),
    { numRuns: 15 },
  )
  await world.close()
})
