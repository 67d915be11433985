import { describe, expect, it } from 'vitest'
import { openWorld, sharedWorld, type World } from './relay-world.fixture.ts'

/** Retries while the call is undecided: a busy machine can exceed the limit. */
async function askAgain(world: World, from: number, about: string): Promise<unknown> {
  for (let id = from; ; id += 1) {
    world.call(id, 'write_note', { text: about })
    const answer = await world.answer(id)
    if (!JSON.stringify(answer).includes('PENDING')) return answer
  }
}

const text = (words: string) => ({ content: [{ text: expect.stringContaining(words) }] })

describe('a call from a client that cannot wait', () => {
  const hold = { mode: 'pending', limitMs: 200 } as const
  const shared = sharedWorld({ hold })

  it('is answered in time, and a retry collects the decision, once', async () => {
    const world = shared()
    world.call(1, 'write_note', { text: 'p1' })
    expect(await world.answer(1)).toMatchObject({ result: { isError: true, ...text('PENDING') } })
    expect(world.notes()).toBe('')
    await world.decide(await world.held('p1'), { kind: 'approve' })
    expect(await askAgain(world, 100, 'p1')).toMatchObject({ result: text('wrote p1') })
    world.call(2, 'write_note', { text: 'p1' })
    expect(await world.answer(2)).toMatchObject({ result: text('PENDING') })
    expect(world.notes()).toBe('p1\n')
  })

  it('does not get the decision about other arguments', async () => {
    const world = shared()
    world.call(1, 'write_note', { text: 'p2' })
    await world.answer(1)
    await world.decide(await world.held('p2'), { kind: 'approve' })
    world.call(2, 'write_note', { text: 'b' })
    expect(await world.answer(2)).toMatchObject({ result: text('PENDING') })
    expect(world.notes()).toBe('')
  })

  it('gets a rejection on retry, and a call that needs nobody runs at once', async () => {
    const world = shared()
    world.call(1, 'write_note', { text: 'p3' })
    await world.answer(1)
    await world.decide(await world.held('p3'), { kind: 'reject', reason: 'no' })
    expect(await askAgain(world, 100, 'p3')).toMatchObject({ result: { isError: true, ...text('(rejected)') } })
    world.call(3, 'get_note', { text: 'b' })
    expect(await world.answer(3)).toMatchObject({ result: text('b') })
  })

  it('is withdrawn if the client disconnects in between', async () => {
    const world = await openWorld({ hold })
    world.call(1, 'write_note', { text: 'p4' })
    await world.answer(1)
    const view = await world.held('p4')
    world.input.end()
    await world.done
    await world.entry('withdrawn')
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
  })
})
