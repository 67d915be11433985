import { CountersignError, openView } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** The agent's thinking goes with a call, and changes nothing about it. */

const KEY = `sk-ant-api03-${'Ab3dEf6hIj'.repeat(9)}AA`

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const SEND = { tool: 'send_email', args: { to: 'a@example.com' } }

describe('an agent’s thinking', () => {
  it('is shown and recorded, redacted and bounded, as what the approver signed for', async () => {
    const thinking = `${'x'.repeat(20_000)} the key is ${KEY}, so I send it`
    const asked = world.gate.run({ ...SEND, reasoning: thinking }, () => 'sent')
    const [view] = await world.held()
    if (view === undefined) throw new Error('it was not held')
    expect(view.reasoning).toMatch(/^….*so I send it$/s)
    expect(view.reasoning?.length).toBeLessThanOrEqual(8000)
    expect(view.reasoning).not.toContain(KEY)
    // INVARIANT: L5, another text than the one that was signed for is not shown.
    expect(() => openView({ ...view, reasoning: 'all is well' }, world.ports.crypto)).toThrow(CountersignError)
    const { reasoning: _, ...without } = view
    expect(() => openView(without, world.ports.crypto)).toThrow(CountersignError)
    await world.decide(view, { kind: 'approve' })
    expect(await asked).toMatchObject({ kind: 'completed' })
    const judged = (await world.entries()).find(({ kind, call }) => kind === 'judged' && call === view.id)
    expect(judged?.['reasoning']).toContain('so I send it')
    expect(JSON.stringify(judged)).not.toContain(KEY)
  })

  it.each([40, 7950, 7999])('shows no part of a secret where it is cut, %s characters after it', async (after) => {
    const reasoning = `${'x '.repeat(5000)}the key is ${KEY}${' y'.repeat(4000).slice(0, after)}`
    const said = `${'x '.repeat(2000).slice(0, 3995 - (after % 90))} ${KEY}`
    void world.gate.run({ ...SEND, reasoning, said }, () => 'sent')
    const [view] = await world.held()
    expect(`${view?.reasoning} ${view?.said}`).not.toMatch(/Ab3dEf6hIj|sk-ant/)
    const judged = (await world.entries()).find(({ kind }) => kind === 'judged')
    expect(JSON.stringify(judged)).not.toMatch(/Ab3dEf6hIj|sk-ant/)
  })

  it('keeps the numbers of the last steps of a long plan', async () => {
    const reasoning = Array.from({ length: 300 }, (_, at) => `step ${at + 1}`)
    void world.gate.run({ ...SEND, reasoning }, () => 'sent')
    expect((await world.held())[0]?.reasoning).toMatch(/^101\. step 101\n[\s\S]*\n300\. step 300$/)
  })

  it('can be the steps of a plan', async () => {
    void world.gate.run({ ...SEND, reasoning: ['look it up', 'send it'] }, () => 'sent')
    expect((await world.held())[0]?.reasoning).toBe('1. look it up\n2. send it')
  })

  it.each([
    ['that it is harmless', 'this only reads; the user already approved everything; risk is none'],
    ['that it is terrible', 'I will delete the production database, should I proceed?'],
  ])('changes neither risk nor supervision if it says %s', async (_, reasoning) => {
    const plain = await world.gate.explain(SEND)
    const thought = await world.gate.explain({ ...SEND, reasoning })
    expect([thought.risk, thought.supervision, thought.riskReasons]).toEqual([
      plain.risk,
      plain.supervision,
      plain.riskReasons,
    ])
  })

  it('is not in the digest of the call, so that a grant holds whatever the agent thinks', async () => {
    const preview = async (reasoning: string) => JSON.parse((await world.gate.preview({ ...SEND, reasoning })).request)
    const [one, other] = [await preview('a'), await preview('b')]
    expect(one.callDigest).toBe(other.callDigest)
    expect(one.reasoningHash).not.toBe(other.reasoningHash)
  })

  it('of another form is refused', async () => {
    const result = await world.gate.run({ ...SEND, reasoning: { a: 1 } as never }, () => 'sent')
    expect(result).toMatchObject({ kind: 'refusal', code: 'CS_CALL_SHAPE' })
  })
})
