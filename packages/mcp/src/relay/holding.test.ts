import { describe, expect, it } from 'vitest'
import { openWorld, sharedWorld, until } from './relay-world.fixture.ts'

const text = (words: string) => ({ content: [{ text: expect.stringContaining(words) }] })

describe('a held call', () => {
  const shared = sharedWorld()

  it('runs after it is approved at another gate, and not before', async () => {
    const world = shared()
    world.call(1, 'write_note', { text: 'a1' }, { _meta: { other: 'kept' } })
    const view = await world.held('a1')
    expect(world.seen()).not.toContain('write_note')
    await world.decide(view, { kind: 'approve' })
    expect(await world.answer(1)).toMatchObject({ result: text('wrote a1') })
    expect(world.notes()).toBe('a1\n')
    expect(world.seen()).toContain('"other":"kept"')
    expect(await world.entry('completed')).toBeDefined()
  })

  it('runs with the person’s edited arguments', async () => {
    const world = shared()
    world.call(2, 'write_note', { text: 'a2' })
    await world.decide(await world.held('a2'), { kind: 'approve', edited: { text: 'better' } })
    expect(await world.answer(2)).toMatchObject({ result: text('wrote better') })
    expect(world.notes()).toBe('better\n')
  })

  it('returns a result with the reason if it is rejected, denied or expires', async () => {
    const world = await openWorld({ timeout: '1s' })
    world.call(1, 'write_note', { text: 'a3' })
    await world.decide(await world.held('a3'), { kind: 'reject', reason: 'not today' })
    expect(await world.answer(1)).toMatchObject({ result: { isError: true, ...text('not today') } })
    world.call(2, 'write_note', { text: 'forbidden' })
    expect(await world.answer(2)).toMatchObject({ result: { isError: true, ...text('(denied)') } })
    world.call(3, 'write_note', { text: 'b' })
    expect(await world.answer(3)).toMatchObject({ result: { isError: true, ...text('(expired)') } })
    expect(world.notes()).toBe('')
  })

  it('lets all other messages pass', async () => {
    const world = shared()
    world.call(41, 'write_note', { text: 'a4' })
    const view = await world.held('a4')
    world.call(42, 'get_note', { text: 'b' })
    expect(await world.answer(42)).toMatchObject({ result: text('b') })
    await world.decide(view, { kind: 'reject' })
    await world.answer(41)
  })

  it.each(['5', '5.0'])('is withdrawn if the client cancels it as %s, and never answered', async (id) => {
    const world = shared()
    world.call(5, 'write_note', { text: `a${id}` })
    const view = await world.held(`a${id}`)
    world.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`)
    await world.entry('withdrawn')
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    expect(await world.heldNow()).toEqual([])
    expect(world.notes()).toBe('')
    expect(world.seen()).not.toContain('cancelled')
    expect(world.messages().some((one) => one['id'] === 5)).toBe(false)
  })

  it('never runs if it is cancelled at the moment it is approved', async () => {
    const world = shared()
    for (let id = 1; id <= 6; id += 1) {
      world.call(id, 'write_note', { text: `n${id}` })
      const view = await world.held(`n${id}`)
      const decided = world.decide(view, { kind: 'approve' })
      if (id % 2 === 0) await decided
      world.send({ method: 'notifications/cancelled', params: { requestId: id } })
      await decided.catch(() => {})
      await until('its end', async () => ((await world.heldNow()).length === 0 ? true : undefined))
    }
    world.call(99, 'get_note', { text: 'after' })
    await world.answer(99)
    // If it was sent before the cancellation, it is cancelled at the server; otherwise it never gets there.
    const sent = [...world.seen().matchAll(/"arguments":\{"text":"(n\d)"\}/g)].map(([, note]) => note)
    const told = [...world.seen().matchAll(/"requestId":(\d)/g)].map(([, id]) => `n${id}`)
    expect(told).toEqual(sent)
  })

  it('is withdrawn when the client disconnects', async () => {
    const world = await openWorld()
    world.call(1, 'write_note', { text: 'a' })
    const view = await world.held('write_note')
    world.input.end()
    await world.done
    await world.entry('withdrawn')
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    expect(world.notes()).toBe('')
  })

  it('is withdrawn when the client stops reading', async () => {
    const world = await openWorld()
    world.call(1, 'write_note', { text: 'a' })
    await world.held('write_note')
    world.output.destroy(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }))
    await world.done
    await world.entry('withdrawn')
    expect(world.notes()).toBe('')
  })

  it('sends progress to a client that asked for it, with rising values below the tool’s own', async () => {
    const world = await openWorld({ hold: { mode: 'block', heartbeatMs: 10 } })
    world.call(1, 'write_note', { text: 'a' }, { _meta: { progressToken: 'p' } })
    const beats = () => world.messages().filter((one) => one['method'] === 'notifications/progress')
    await until('three signs of life', () => (beats().length >= 3 ? true : undefined))
    const values = beats().map((one) => (one['params'] as { readonly progress: number }).progress)
    expect(values.every((value, at) => value < 0 && (at === 0 || value > (values[at - 1] ?? 0)))).toBe(true)
    expect(beats()[0]).toMatchObject({ params: { progressToken: 'p' } })
  })

  it('waits no longer than this client’s limit', async () => {
    const world = await openWorld({ hold: { mode: 'block', limitMs: 300 } })
    world.call(1, 'write_note', { text: 'a' })
    expect(await world.answer(1)).toMatchObject({ result: { isError: true, ...text('(expired)') } })
  })
})
