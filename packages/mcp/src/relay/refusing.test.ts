import { describe, expect, it } from 'vitest'
import { openWorld, sharedWorld, until } from './relay-world.fixture.ts'

const gated = '"method":"tools/call","params":{"name":"write_note","arguments":{"text":"smuggled"}}'

describe('the relay refuses', () => {
  const shared = sharedWorld()

  it('a batch: every message in it is answered', async () => {
    const world = shared()
    world.send(`[{"jsonrpc":"2.0","id":1,${gated}},{"jsonrpc":"2.0","id":"b","method":"ping"}]`)
    expect(await world.answer(1)).toMatchObject({ error: { code: -32600 } })
    expect(await world.answer('b')).toMatchObject({ error: { code: -32600 } })
    expect(await world.entry('message-refused')).toMatchObject({ from: 'client', what: 'batch' })
  })

  it.each([
    ['a duplicate method', `{"jsonrpc":"2.0","id":1,"method":"ping",${gated}}`],
    ['a method in another case', `{"jsonrpc":"2.0","id":1,"method":"ping",${gated.replace('method', 'Method')}}`],
    ['params with a duplicate key', `{"jsonrpc":"2.0","id":1,${gated.replace('"text"', '"text":"a","text"')}}`],
    ['params in another case', `{"jsonrpc":"2.0","id":1,${gated.replace('"name"', '"name":"get_note","Name"')}}`],
    ['a method in look-alike letters', `{"jsonrpc":"2.0","id":1,${gated.replace('tools/call', 'Tools/Call')}}`],
    ['a method with a NUL', `{"jsonrpc":"2.0","id":1,${gated.replace('tools/call', 'tools/call\\u0000')}}`],
    [
      'a method with an invisible letter',
      `{"jsonrpc":"2.0","id":1,${gated.replace('tools/call', 'tools\u200b/call')}}`,
    ],
    ['a method that is percent-encoded', `{"jsonrpc":"2.0","id":1,${gated.replace('tools/call', 'tools%2Fcall')}}`],
    ['a method with another separator', `{"jsonrpc":"2.0","id":1,${gated.replace('tools/call', '/tools//call')}}`],
    ['a call without a tool', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}'],
    ['a call with a list as params', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}'],
    [
      'a call that is too deeply nested',
      `{"jsonrpc":"2.0","id":1,${gated.replace('"smuggled"', `${'['.repeat(80)}${']'.repeat(80)}`)}}`,
    ],
  ])('%s', async (_what, line) => {
    const world = shared()
    world.send(line)
    expect(await world.answer(1)).toMatchObject({ error: { code: expect.any(Number) } })
    expect(world.seen()).not.toMatch(/tools\/call|smuggled/)
  })

  it.each([
    ['arguments that are not an object', '[1]'],
    ['a number that programs read differently', '{"text":12345678901234567890}'],
    ['half a surrogate pair', '{"text":"\\ud800"}'],
  ])('a call with %s: the model is told why', async (_what, args) => {
    const world = shared()
    world.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_note","arguments":${args}}}`)
    expect(await world.answer(1)).toMatchObject({ result: { isError: true } })
    expect(world.seen()).not.toContain('tools/call')
  })

  it('a call without an id', async () => {
    const world = shared()
    world.send(`{"jsonrpc":"2.0",${gated}}`)
    expect(await world.entry('message-refused')).toMatchObject({ what: 'tools/call' })
    expect(world.seen()).not.toContain('tools/call')
  })

  it.each([
    ['invalid JSON', 'nonsense', -32700],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
      -32700,
    ],
    [
      'a line that other readers split',
      `{"jsonrpc":"2.0","method":"x","params":{"a":[\r{"jsonrpc":"2.0","id":1,${gated}}\r]}}`,
      -32600,
    ],
  ])('%s: the client is told', async (_what, line, code) => {
    const world = shared()
    world.send(line)
    expect(await world.answer(null)).toMatchObject({ error: { code } })
    expect(world.seen()).not.toContain('smuggled')
  })

  it('a line that is too long; the next one passes', async () => {
    const world = await openWorld({ maxLineBytes: 1000 })
    world.send({ id: 1, method: 'ping', params: { a: 'x'.repeat(2000) } })
    expect(await world.answer(null)).toMatchObject({ error: { message: expect.stringContaining('too long') } })
    world.send({ id: 2, method: 'ping' })
    expect(await world.answer(2)).toHaveProperty('result')
  })

  it('a second request with an id in use, in any spelling', async () => {
    const world = shared()
    world.send('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"hang"}}')
    await until('the first at the server', () => (world.seen().includes('hang') ? true : undefined))
    world.send('{"jsonrpc":"2.0","id":7.0,"method":"ping"}')
    expect(await world.answer(7)).toMatchObject({ error: { message: expect.stringContaining('in use') } })
    expect(world.seen()).not.toContain('ping')
  })

  it('a tool that its server does not list', async () => {
    const world = shared()
    world.call(1, 'unlisted', { text: 'a' })
    expect(await world.answer(1)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('does not list it') }] },
    })
    expect(world.seen()).not.toContain('unlisted')
  })

  it('a denied method, from either side', async () => {
    const world = await openWorld({ denied: ['resources/*', 'sampling/createMessage'] })
    world.send({ id: 1, method: 'resources/read', params: {} })
    expect(await world.answer(1)).toMatchObject({ error: { code: -32601, message: expect.stringContaining('denied') } })
    world.call(2, 'ask_client')
    expect(await world.answer(2)).toMatchObject({ result: { content: [{ text: expect.stringContaining('denied') }] } })
    expect(world.seen()).not.toContain('resources/read')
    expect(world.messages().some((one) => one['method'] === 'sampling/createMessage')).toBe(false)
  })

  it.each([
    'resources//read',
    'RESOURCES.read',
    'resourcesread',
    '/resources/read',
    './resources/read/',
    'resources/read?x',
    'sampling:createmessage',
  ])('a method that a careless reader takes for a denied one: %s', async (method) => {
    const world = await openWorld({ denied: ['resources/read', 'sampling/createMessage'] })
    world.send({ id: 1, method, params: { uri: 'note://1' } })
    expect(await world.answer(1)).toMatchObject({ error: { message: expect.stringContaining('denied') } })
  })

  it('a denied method inside a request for more input', async () => {
    const world = await openWorld({ denied: ['elicitation/create'] })
    world.call(1, 'wants_input')
    expect(await world.answer(1)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('denied') }] },
    })
    expect(world.lines().join()).not.toContain('who?')
  })

  it('a contradictory answer from the server: the client gets an error instead', async () => {
    const world = shared()
    world.call(1, 'twice')
    expect(await world.answer(1)).toMatchObject({ error: { message: expect.stringContaining('not forwarded') } })
    expect(await world.entry('unknown')).toBeDefined()
  })

  it('server output that is not a message', async () => {
    const world = shared()
    world.send({ method: 'say', params: { bytes: 'listening on port 1' } })
    expect(await world.entry('message-refused')).toMatchObject({ from: 'server', what: 'parse' })
    expect(world.lines().join()).not.toContain('listening')
  })

  it('an answer to a call that was never sent to the server', async () => {
    const world = shared()
    world.call(5, 'write_note', { text: 'a' })
    await world.held('write_note')
    world.send({ method: 'say', params: { bytes: '{"jsonrpc":"2.0","id":5,"result":{"content":[]}}' } })
    expect(await world.entry('message-refused')).toMatchObject({ why: expect.stringContaining('never sent') })
    expect(world.messages().filter((one) => one['id'] === 5)).toEqual([])
  })
})
