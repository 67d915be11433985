import { describe, expect, it } from 'vitest'
import { until } from '../../relay/relay-world.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { type OpenedProxy, openProxy, wordsOf } from './listen.fixture.ts'

const world = httpWorld()

/** Calls a tool, in each protocol. */
const ERAS = [
  ['stateless', async (proxy: OpenedProxy) => proxy.call],
  ['initialize', async (proxy: OpenedProxy) => (await proxy.session()).call],
] as const

describe.each(ERAS)('an HTTP server behind the proxy, protocol %s', (_, open) => {
  it('runs a call at once if the policy allows it', async () => {
    const call = await open(await openProxy(world()))
    const got = await call('get_note', { text: 'plain' }).done
    expect([got.status, wordsOf(got)]).toEqual([200, 'get_note plain'])
  })

  it('runs an edited call with the edited arguments, and their headers', async () => {
    const call = await open(await openProxy(world()))
    const asking = call('write_note', { text: 'edit-me' })
    await world().decide(await world().held('edit-me'), { kind: 'approve', edited: { text: 'edited', region: 'eu' } })
    expect(wordsOf(await asking.done)).toBe('write_note edited')
    expect(world().got('edit-me')).toEqual([])
    const [sent] = world().got('"edited"').slice(-1)
    if (_ === 'stateless') expect(sent?.headers['mcp-param-region']).toBe('eu')
    expect(sent?.headers['x-secret']).toBe('ours')
  })

  it('tells the model why a rejected call did not run', async () => {
    const call = await open(await openProxy(world()))
    const asking = call('write_note', { text: `no-${_}` })
    await world().decide(await world().held(`no-${_}`), { kind: 'reject', reason: 'not today' })
    const got = await asking.done
    expect(got.messages.at(-1)).toMatchObject({ result: { isError: true } })
    expect(wordsOf(got)).toContain('not today')
    expect(world().got(`no-${_}`)).toEqual([])
  })

  it('withdraws a held call when its client disconnects, and never sends it', async () => {
    const call = await open(await openProxy(world()))
    const asking = call('write_note', { text: `left-${_}` })
    const view = await world().held(`left-${_}`)
    asking.request.destroy()
    await until('the withdrawal', async () => ((await world().heldNow(`left-${_}`)) ? undefined : true))
    expect(await world().decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    expect(world().got(`left-${_}`)).toEqual([])
  })

  it('disconnects from the server when the client of a running call disconnects', async () => {
    const call = await open(await openProxy(world()))
    const asking = call('hang', { text: `leave-${_}` })
    await until('the stream', () => (asking.text().includes('wait') ? true : undefined))
    asking.request.destroy()
    await until('the server to notice', () => (world().got(`leave-${_}`)[0]?.closedEarly === true ? true : undefined))
  })

  it('passes a large result completely', async () => {
    const call = await open(await openProxy(world()))
    expect(wordsOf(await call('big', {}).done)).toHaveLength(3 * 1024 * 1024)
  })

  it('passes a server’s refusal unchanged', async () => {
    const call = await open(await openProxy(world()))
    const got = await call('refuse', {}).done
    expect(got).toMatchObject({ status: 400, messages: [{ error: { code: -32000, message: 'not like this' } }] })
  })
})

describe('a call with the stateless protocol', () => {
  it('has its tool looked up only after it was judged: the first lookup ends the first contact', async () => {
    const proxy = await openProxy(world())
    const before = world().definitionsAsked.length
    const asking = proxy.call('write_note', { text: 'looked-up' })
    const view = await world().held('looked-up')
    expect(world().definitionsAsked.length).toBe(before)
    await world().decide(view, { kind: 'approve' })
    await asking.done
    expect(world().definitionsAsked.length).toBeGreaterThan(before)
  })

  it('is withdrawn when the proxy stops', async () => {
    const proxy = await openProxy(world())
    const asking = proxy.call('write_note', { text: 'closing' })
    await world().held('closing')
    await proxy.close()
    await asking.done.catch(() => {})
    await expect.poll(() => world().heldNow('closing')).toBe(false)
    expect(world().got('closing')).toEqual([])
  })
})

describe('the proxy refuses', () => {
  it.each([
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another name', { 'mcp-name': 'get_other' }],
    ['another name, in Base64', { 'mcp-name': `=?base64?${btoa('get_other')}?=` }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
  ])('a header with %s than the body', async (_, headers) => {
    const proxy = await openProxy(world())
    const got = await proxy.call('get_note', { text: 'mismatch' }, { headers }).done
    expect(got).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] })
    expect(world().got('mismatch')).toEqual([])
  })

  it.each([
    ['method', { 'mcp-method': 'tools/call' }],
    ['name, or a name the body lacks', { 'mcp-name': 'get_note' }],
  ])('a notification whose header has another %s', async (_, headers) => {
    const proxy = await openProxy(world())
    const note = { method: 'notifications/progress', params: { about: 'a mismatched note' } }
    expect(await proxy.post(note, headers).done).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] })
    expect(world().got('a mismatched note')).toEqual([])
  })

  it('to pass on message headers that do not belong to the message, also disguised ones', async () => {
    const proxy = await openProxy(world())
    const names = { 'mcp-method': 'tools/call', 'mcp-name': 'get_note', 'mcp-param-region': 'us' }
    const twins = {
      mcp_method: 'tools/call',
      mcp_name: 'get_note',
      mcp_param_region: 'us',
      'mcp_param-region': 'us',
      content_type: 'x',
      other_one: 'y',
    }
    await proxy.post({ id: 77, result: { about: 'an answer' } }, { ...names, ...twins }).done
    const method = 'notifications/progress'
    await proxy.post(
      { method, params: { about: 'a named note' } },
      { 'mcp-method': method, 'mcp-param-region': 'us', ...twins },
    ).done
    await proxy.call('get_note', { text: 'a twin' }, { headers: twins }).done
    const named = ['an answer', 'a named note', 'a twin'].map((about) =>
      Object.keys(world().got(about)[0]?.headers ?? {}).filter((name) => /^mcp|_/.test(name)),
    )
    expect(named).toEqual([
      ['other_one'],
      ['other_one', 'mcp-method'],
      ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'other_one'],
    ])
  })

  it('an argument whose header has another value', async () => {
    const proxy = await openProxy(world())
    const headers = { 'mcp-param-region': 'us' }
    const got = await proxy.call('get_note', { text: 'elsewhere', region: 'eu' }, { headers }).done
    expect(got).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] })
    expect(world().got('elsewhere')).toEqual([])
  })

  it('an argument whose header has another value, if the body has no version', async () => {
    const proxy = await openProxy(world())
    const session = await proxy.session()
    const params = { name: 'get_note', arguments: { text: 'unversioned', region: 'eu' } }
    const headers = { ...session.headers, 'mcp-protocol-version': '2026-07-28', 'mcp-param-region': 'us' }
    const got = await proxy.post({ id: 1, method: 'tools/call', params }, headers).done
    expect(got).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] })
    expect(world().got('unversioned')).toEqual([])
    await proxy.post({ id: 2, method: 'tools/call', params }, { ...headers, 'mcp-param-region': 'eu' }).done
    expect(world().got('unversioned')).toMatchObject([{ headers: { 'mcp-param-region': 'eu' } }])
  })

  it('to pass on a header for an edited or missing argument', async () => {
    const proxy = await openProxy(world())
    const { headers } = await proxy.session()
    const params = { name: 'write_note', arguments: { text: 'edited-away', region: 'eu' } }
    const said = { ...headers, 'mcp-param-region': 'eu', 'mcp-param-other': 'us' }
    const asking = proxy.post({ id: 1, method: 'tools/call', params }, said)
    const edited = { text: 'edited-here', region: 'us' }
    await world().decide(await world().held('edited-away'), { kind: 'approve', edited })
    await asking.done
    const [sent] = world().got('edited-here')
    expect(sent?.headers['mcp-param-region']).toBe('us')
    expect(sent?.headers['mcp-param-other']).toBeUndefined()
  })

  it.each(['ping', 'notifications/unheard'])('%s under a header with another version', async (method) => {
    const proxy = await openProxy(world())
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, said: 'other-version' }
    const message = method === 'ping' ? { id: 1, method, params } : { method, params }
    const got = await proxy.post(message, { 'mcp-protocol-version': '2025-06-18' }).done
    expect(got).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] })
    expect(world().got('other-version')).toEqual([])
  })

  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_note"}}]'],
    ['a duplicate key', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}'],
    ['invalid JSON', '{"jsonrpc":'],
  ])('%s', async (_, body) => {
    const proxy = await openProxy(world())
    const before = world().server.seen.length
    const got = await proxy.send('POST', body).done
    expect(got.status).toBe(400)
    expect(got.messages).toMatchObject([{ error: { code: expect.any(Number) } }])
    expect(world().server.seen.length).toBe(before)
  })

  it.each([
    ['to another host name', { host: 'evil.example' }],
    ['from another site', { origin: 'https://evil.example' }],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ])('a request %s', async (_, headers) => {
    const proxy = await openProxy(world())
    expect((await proxy.call('get_note', {}, { headers }).done).status).toBe(403)
  })

  it.each([
    ['whole', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('a body over the limit, and reports it before closing the connection: %s', async (_, headers) => {
    const proxy = await openProxy(world(), { maxBytes: 1024 * 1024 })
    const got = await proxy.send('POST', 'x'.repeat(1.5 * 1024 * 1024), headers).done
    expect(got).toMatchObject({ status: 413, messages: [{ error: { code: -32600 } }] })
    expect((await proxy.call('get_note', { text: 'still there' }).done).status).toBe(200)
  })

  it.each([
    ['in another charset', { 'content-type': 'application/json; charset=utf-7' }],
    ['with two charsets', { 'content-type': 'application/json; charset=utf-8; charset=utf-16le' }],
    ['with another content type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('a message declared to be %s', async (_, headers: Record<string, string>) => {
    const proxy = await openProxy(world())
    const { status } = await proxy.call('get_note', { text: 'odd-body' }, { headers }).done
    expect(status).toBe(415)
    expect(world().got('odd-body')).toEqual([])
  })

  it('to pass on encoding headers: the server gets the text that was read here', async () => {
    const proxy = await openProxy(world())
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"', 'content-encoding': 'identity' }
    expect(wordsOf(await proxy.call('get_note', { text: 'plain-body' }, { headers }).done)).toBe('get_note plain-body')
    const [sent] = world().got('plain-body')
    expect(sent?.headers['content-type']).toBe('application/json')
    expect(sent?.headers['content-encoding']).toBeUndefined()
  })

  it('other paths and methods', async () => {
    const proxy = await openProxy(world())
    expect((await proxy.send('PUT', '{}').done).status).toBe(405)
  })
})

describe('a session with the older protocol', () => {
  it('cancels a held call by its notification, which is not forwarded', async () => {
    const session = await (await openProxy(world())).session()
    const asking = session.call('write_note', { text: 'called-off' })
    await world().held('called-off')
    const cancelled = { method: 'notifications/cancelled', params: { requestId: session.lastId } }
    expect((await session.post(cancelled).done).status).toBe(202)
    expect((await asking.done).messages).toMatchObject([{ error: { message: 'the call was cancelled' } }])
    await until('the withdrawal', async () => ((await world().heldNow('called-off')) ? undefined : true))
    expect(world().got('called-off')).toEqual([])
    expect(world().got('notifications/cancelled')).toEqual([])
  })

  it('gets the answer of a call whose stream broke on the resumed stream', async () => {
    const proxy = await openProxy(world())
    const session = await proxy.session()
    const first = await session.call('torn', {}).done
    expect(first.messages).toEqual([])
    const again = await proxy.send('GET', null, { ...session.headers, 'last-event-id': 'torn-1' }).done
    expect(wordsOf(again)).toBe('taken up again')
  })

  it('gets the server’s own messages, but not denied ones', async () => {
    const proxy = await openProxy(world(), { denied: ['sampling/*'] })
    const session = await proxy.session()
    const stream = proxy.send('GET', null, session.headers)
    await until('the stream', () => (stream.text().includes('here') ? true : undefined))
    world().server.say({ id: 'wants', method: 'sampling/createMessage', params: {} })
    world().server.say({ method: 'notifications/message', params: { data: 'heard' } })
    await until('the message', () => (stream.text().includes('heard') ? true : undefined))
    expect(stream.text()).not.toContain('sampling')
    await until('the answer to the server', () =>
      world()
        .got('"id":"wants"')
        .find(({ body }) => body.includes('error')),
    )
    stream.request.destroy()
  })

  it('is told when its session is gone', async () => {
    const session = await (await openProxy(world())).session()
    world().server.restart()
    expect((await session.call('get_note', {}).done).status).toBe(404)
  })
})
