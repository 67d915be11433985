import { describe, expect, it } from 'vitest'
import { openWorld, sharedWorld, until, type World } from './relay-world.fixture.ts'

describe('when one side is gone', () => {
  it('every request to a dead server is answered, and its outcome is unknown', async () => {
    const world = await openWorld()
    world.call(1, 'hang')
    await until('the call at the server', () => (world.seen().includes('hang') ? true : undefined))
    world.call(2, 'write_note', { text: 'a' })
    await world.held('write_note')
    world.call(3, 'die')
    for (const id of [1, 2, 3]) expect(await world.answer(id)).toMatchObject({ error: { code: -32000 } })
    expect(await world.done).toMatchObject({ by: 'server', exitCode: 3 })
    const kinds = (await world.journal()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'unknown')).toHaveLength(2)
    expect(kinds).toContain('withdrawn')
  })

  it('a running call that the client cancelled is cancelled at the server, and its outcome is unknown', async () => {
    const world = await openWorld()
    world.call(1, 'hang')
    await until('the call at the server', () => (world.seen().includes('hang') ? true : undefined))
    world.send({ method: 'notifications/cancelled', params: { requestId: 1 } })
    await until('the cancellation at the server', () => (world.seen().includes('cancelled') ? true : undefined))
    expect(await world.entry('unknown')).toBeDefined()
  })

  it('a server that does not exit is ended', async () => {
    const world = await openWorld({ lingerMs: 50 })
    world.call(1, 'hang')
    await until('the call at the server', () => (world.seen().includes('hang') ? true : undefined))
    world.input.end()
    expect(await world.done).toMatchObject({ by: 'client' })
    expect(await world.entry('unknown')).toBeDefined()
  })
})

describe('a call whose server needs input first', () => {
  const shared = sharedWorld()
  const stateless = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
  const answered = { ...stateless, inputResponses: { name: { action: 'accept' } } }
  const startedBy = async (world: World) => (await world.journal()).filter(({ kind }) => kind === 'started').length

  it('is approved once, and its retry continues under the same approval, once', async () => {
    const world = shared()
    world.call(1, 'wants_input', { text: 'a' }, stateless)
    expect(await world.answer(1)).toMatchObject({ result: { resultType: 'input_required', requestState: 'state-1' } })
    world.call(2, 'wants_input', { text: 'a' }, { ...answered, requestState: 'state-1' })
    expect(await world.answer(2)).toMatchObject({ result: { content: [{ text: 'thanks' }] } })
    await world.entry('completed')
    expect(await startedBy(world)).toBe(1)
    expect(await world.entry('continued')).toMatchObject({ round: 1, input: expect.stringMatching(/^[0-9a-f]{64}$/) })
    world.call(3, 'wants_input', { text: 'a' }, { ...answered, requestState: 'state-1' })
    expect(await world.answer(3)).toMatchObject({ error: { data: { reason: 'invalid_request_state' } } })
    expect(await startedBy(world)).toBe(1)
  })

  it.each([
    ['other arguments', { text: 'b' }, 'state-1'],
    ['another state', { text: 'a' }, 'state-2'],
  ])('is refused with %s', async (_what, args, requestState) => {
    const world = shared()
    world.call(1, 'wants_input', { text: 'a' }, stateless)
    await world.answer(1)
    world.call(2, 'wants_input', args, { ...answered, requestState })
    expect(await world.answer(2)).toMatchObject({ error: { data: { reason: 'invalid_request_state' } } })
    expect(await startedBy(world)).toBe(1)
  })

  it('is denied if the policy denies it at the time of its retry', async () => {
    const world = shared()
    world.call(71, 'wants_input', { text: 'later' }, stateless)
    await world.answer(71)
    world.addRule('{ id: changed, tool: "small/wants_input", args: { text: later }, supervision: deny }')
    world.call(72, 'wants_input', { text: 'later' }, { ...answered, requestState: 'state-1' })
    expect(await world.answer(72)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('(denied)') }] },
    })
  })

  it('is refused in its protocol’s format', async () => {
    const world = shared()
    world.call(1, 'write_note', { text: 'forbidden' }, stateless)
    expect(await world.answer(1)).toMatchObject({ result: { isError: true, resultType: 'complete' } })
  })
})
