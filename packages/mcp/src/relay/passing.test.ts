import { describe, expect, it } from 'vitest'
import { openWorld, sharedWorld, until } from './relay-world.fixture.ts'

describe('the relay passes', () => {
  const shared = sharedWorld()

  it('bytes unchanged: unknown methods and members, ids of any spelling', async () => {
    const world = shared()
    const line =
      '{ "id": 9007199254740991 , "jsonrpc":"2.0","trace":[1.50],"method":"x/unknown","params":{"big":12345678901234567890}}'
    world.send(line)
    await until('the line at the server', () => (world.seen().includes(line) ? true : undefined))
    for (const id of [1e3, 'text', -3]) {
      world.send({ id, method: 'x/other', params: { a: 1 } })
      expect(await world.answer(id)).toEqual({ jsonrpc: '2.0', id, result: { method: 'x/other', params: { a: 1 } } })
    }
    const said = '{"jsonrpc":"2.0","method":"notifications/odd","params":{"n":1e2},"extra":true}'
    world.send({ method: 'say', params: { bytes: said } })
    await until('the notification', () => (world.lines().includes(said) ? true : undefined))
  })

  it('messages both ways: the client answers a server’s request', async () => {
    const world = shared()
    world.call(1, 'ask_client')
    const asked = await until('the question', () => world.messages().find((one) => one['id'] === 'from-server'))
    expect(asked).toMatchObject({ method: 'sampling/createMessage' })
    world.send({ id: 'from-server', result: { role: 'assistant' } })
    expect(await world.answer(1)).toMatchObject({ result: { content: [{ text: '{"role":"assistant"}' }] } })
  })

  it('a call that the policy allows, and journals its outcome without delaying the model', async () => {
    const world = shared()
    world.call(1, 'get_note', { text: 'hello' })
    expect(await world.answer(1)).toMatchObject({ result: { content: [{ text: 'hello' }] } })
    expect(await world.entry('completed')).toBeDefined()
    expect(await world.entry('judged')).toMatchObject({ tool: 'small/get_note', agent: ['tester'] })
  })

  it.each([
    ['fail', { result: { isError: true } }],
    ['error', { error: { message: 'no such thing' } }],
  ])('an answer with `%s`, recorded as failed', async (name, answer) => {
    const world = shared()
    world.call(1, name)
    expect(await world.answer(1)).toMatchObject(answer)
    expect(await world.entry('failed')).toBeDefined()
  })

  it('a call that continues as a task, whose end is not visible here', async () => {
    const world = shared()
    world.call(1, 'as_task', {}, { task: { ttl: 1000 } })
    expect(await world.answer(1)).toMatchObject({ result: { task: { taskId: 't1' } } })
    expect(await world.entry('released')).toBeDefined()
  })

  it('messages in any chunks, and many at once', async () => {
    const world = shared()
    const lines = Array.from(
      { length: 40 },
      (_, id) =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"get_note","arguments":{"text":"é${id}"}}}\n`,
    ).join('')
    const bytes = Buffer.from(lines)
    for (let at = 0; at < bytes.length; at += 37) world.send(bytes.subarray(at, at + 37))
    for (let id = 0; id < 40; id += 1)
      expect(await world.answer(id)).toMatchObject({ result: { content: [{ text: `é${id}` }] } })
  })

  it('a session that is summarised in the journal at its end', async () => {
    const world = await openWorld()
    world.call(1, 'get_note', { text: 'a' })
    await world.answer(1)
    world.input.end()
    expect(await world.done).toMatchObject({ by: 'client' })
    const { client, agent } = await world.entry('relayed')
    expect({ client, agent }).toEqual({ agent: 'tester', client: { initialize: 1, 'tools/call': 1 } })
  })

  it('requests made before the client closed its input', async () => {
    const world = await openWorld()
    world.call(1, 'get_note', { text: 'last' })
    world.input.end()
    expect(await world.answer(1)).toMatchObject({ result: { content: [{ text: 'last' }] } })
    await world.done
  })
})
