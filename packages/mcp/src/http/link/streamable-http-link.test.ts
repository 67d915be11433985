import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { until } from '../../relay/relay-world.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { behave, type Script, sayEvent, sayJson, startScripted, toolNamed } from '../scripted-server.fixture.ts'
import { openUpstream } from '../upstream/upstream.ts'
import { openPipedClient } from './piped-client.fixture.ts'
import { openStreamableHttpLink } from './streamable-http-link.ts'

const world = httpWorld()
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

const openClient = (url = world().server.url) =>
  openPipedClient(world(), openUpstream(url, { Authorization: 'Bearer ours' }), openStreamableHttpLink)

const last = (text: string) => world().got(text).at(-1)

describe('a piped client and an HTTP server', () => {
  it('keep a session: its id, version, stream and end', async () => {
    const client = await openClient()
    await client.initialize()
    client.send({ id: 1, method: 'tools/call', params: { name: 'get_note', arguments: { text: 'over-http' } } })
    expect(await client.answer(1)).toMatchObject({ result: { content: [{ text: 'get_note over-http' }] } })
    const { headers } = last('over-http') ?? {}
    const session = headers?.['mcp-session-id']
    expect(headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25', authorization: 'Bearer ours' })
    expect(session).toMatch(/^s-/)
    const stream = await until('its stream', () =>
      world().server.seen.find((one) => one.method === 'GET' && one.headers['mcp-session-id'] === session),
    )
    expect(stream.headers.accept).toBe('text/event-stream')
    await until('what is said unasked', () => {
      world().server.say({ method: 'notifications/message', params: { data: 'psst' } })
      return client.messages().some((one) => JSON.stringify(one).includes('psst')) || undefined
    })
    client.input.end()
    expect(await client.done).toMatchObject({ by: 'client' })
    expect(world().server.seen.find((one) => one.method === 'DELETE')?.headers['mcp-session-id']).toBe(session)
  })

  it('send method, tool and arguments in headers if the protocol requires them', async () => {
    const client = await openClient()
    const params = { name: 'get_note', arguments: { text: 'named', region: 'Zürich' }, _meta: META }
    client.send({ id: 1, method: 'tools/call', params })
    expect(await client.answer(1)).toMatchObject({ result: { resultType: 'complete' } })
    expect(last('"named"')?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'get_note',
      'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
    })
    expect(last('"named"')?.headers['mcp-session-id']).toBeUndefined()
  })

  it('hold a call, and run it when approved', async () => {
    const client = await openClient()
    await client.initialize()
    client.send({ id: 1, method: 'tools/call', params: { name: 'write_note', arguments: { text: 'pipe-held' } } })
    const view = await world().held('pipe-held')
    expect(world().got('pipe-held')).toEqual([])
    await world().decide(view, { kind: 'approve' })
    expect(await client.answer(1)).toMatchObject({ result: { content: [{ text: 'write_note pipe-held' }] } })
  })

  it('cancel by closing the stream in one protocol, by a notification in the other', async () => {
    const client = await openClient()
    client.send({ id: 1, method: 'tools/call', params: { name: 'hang', arguments: { text: 'quiet' }, _meta: META } })
    await until('the call', () => last('quiet'))
    client.send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'quietly' } })
    await until('the server to notice', () => (last('quiet')?.closedEarly === true ? true : undefined))
    expect(last('quietly')).toBeUndefined()
    const older = await openClient()
    await older.initialize()
    older.send({ id: 1, method: 'tools/call', params: { name: 'hang', arguments: { text: 'aloud' } } })
    await until('the call', () => last('aloud'))
    older.send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'loudly' } })
    await until('the notification', () => last('loudly'))
  })

  it('resume a broken stream', async () => {
    const client = await openClient()
    await client.initialize()
    client.send({ id: 1, method: 'tools/call', params: { name: 'torn', arguments: {} } })
    expect(await client.answer(1)).toMatchObject({ result: { content: [{ text: 'taken up again' }] } })
  })

  it('pass a large answer, and a refusal under the id of its request', async () => {
    const client = await openClient()
    client.send({ id: 1, method: 'tools/call', params: { name: 'big', arguments: {}, _meta: META } })
    expect(JSON.stringify(await client.answer(1)).length).toBeGreaterThan(3 * 1024 * 1024)
    client.send({ id: 2, method: 'tools/call', params: { name: 'refuse', arguments: {}, _meta: META } })
    expect(await client.answer(2)).toMatchObject({ error: { code: -32000, message: 'not like this' } })
  })

  it('end when the session is gone, and report it to the client', async () => {
    const client = await openClient()
    await client.initialize()
    client.send({ id: 1, method: 'tools/list', params: {} })
    await client.answer(1)
    world().server.restart()
    client.send({ id: 2, method: 'ping' })
    expect(await client.answer(2)).toMatchObject({ error: { message: expect.stringContaining('ended the session') } })
    expect(await client.done).toMatchObject({ by: 'server', why: expect.stringContaining('ended the session') })
  })

  it('report an error if the server is unreachable', async () => {
    const client = await openClient('http://127.0.0.1:9/mcp')
    client.send({ id: 1, method: 'ping' })
    expect(await client.answer(1)).toMatchObject({ error: { message: expect.stringContaining('cannot be reached') } })
  })
})

/** A server with a session that ends its streams as soon as they start. */
function polling(streamOf: (turn: number, answer: ServerResponse, resumes: boolean) => void): Script {
  let turns = 0
  return (asked, answer) => {
    const { id, method } = asked.message
    if (asked.method === 'GET') {
      turns += 1
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      return streamOf(turns, answer, asked.headers['last-event-id'] !== undefined)
    }
    if (method === 'initialize')
      return sayJson(answer, { id, result: { protocolVersion: '2025-11-25' } }, { 'mcp-session-id': 's' })
    if (method !== 'tools/call') return behave(asked, answer, [toolNamed('get_note')])
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: e1\nretry: 1\ndata:\n\n')
  }
}

describe('a server that ends its streams early', () => {
  const note = { name: 'get_note', arguments: {} }
  const GET_NOTE = { id: 1, method: 'tools/call', params: note }

  it('is asked again until it answers', async () => {
    const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'at last' }] } }
    let resumed = 0
    const { url } = await startScripted(
      polling((_, answer, resumes) => {
        if (!resumes) return
        resumed += 1
        answer.end(resumed < 8 ? ': still at it\n\n' : `data: ${JSON.stringify(message)}\n\n`)
      }),
    )
    const client = await openClient(url)
    await client.initialize()
    client.send(GET_NOTE)
    expect(await client.answer(1)).toMatchObject({ result: { content: [{ text: 'at last' }] } })
  })

  it('is heard also after a silent period', async () => {
    const { url } = await startScripted(
      polling((turn, answer) => {
        answer.write('retry: 1\n\n')
        if (turn > 8) sayEvent(answer, { method: 'notifications/message', params: { data: 'finally' } })
        else answer.end()
      }),
    )
    const client = await openClient(url)
    await client.initialize()
    await until('its word', () => client.messages().find((one) => JSON.stringify(one).includes('finally')))
  })

  it.each([404, 405])('is not asked again after it answered %i', async (status) => {
    const { url, seen } = await startScripted((asked, answer) => {
      if (asked.method === 'GET') return void answer.writeHead(status).end()
      const { id, method } = asked.message
      if (method === 'initialize') return sayJson(answer, { id, result: {} })
      behave(asked, answer, [])
    })
    const client = await openClient(url)
    await client.initialize()
    await until('the question', () => seen.find(({ method }) => method === 'GET'))
    client.send({ id: 2, method: 'ping' })
    await client.answer(2)
    expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(1)
  })

  it('for good is reported to the waiting client, and the call is not sent again', async () => {
    const server = await startScripted((asked, answer) => {
      if (asked.message.method !== 'tools/call') return behave(asked, answer, [toolNamed('get_note')])
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(': runs\n\n')
    })
    const client = await openClient(server.url)
    client.send(GET_NOTE)
    await until('the call', () => server.seen.find(({ message }) => message.method === 'tools/call'))
    server.kill()
    expect(await client.answer(1)).toMatchObject({ error: { code: -32000 } })
    expect(server.seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(1)
  })
})
