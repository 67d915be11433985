import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { until } from '../../relay/relay-world.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { behave, type ScriptedRequest, startScripted, toolNamed } from '../scripted-server.fixture.ts'
import { openUpstream } from '../upstream/upstream.ts'
import { openHttpLink } from './http-link.ts'
import { openPipedClient } from './piped-client.fixture.ts'

const world = httpWorld()
const NOTE = toolNamed('write_note')

/** An older server's reaction to one message, given its stream. */
type Old = (asked: ScriptedRequest, answer: ServerResponse, stream: ServerResponse) => void

const say = (stream: ServerResponse, message: object): void =>
  void stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)

const answers: Old = ({ message }, answer, stream) => {
  answer.writeHead(202).end('Accepted')
  if (message.id === undefined) return
  if (message.method === 'initialize')
    return say(stream, {
      id: message.id,
      result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
    })
  if (message.method === 'tools/list') return say(stream, { id: message.id, result: { tools: [NOTE] } })
  say(stream, { id: message.id, result: { content: [{ type: 'text', text: `ran ${message.method}` }] } })
}

/** A server from before Streamable HTTP: a stream at its URL, and another URL for messages. */
async function startOld(old: Old = answers, endpoint = '/tell?session=7', more = '') {
  const streams: ServerResponse[] = []
  const server = await startScripted((asked, answer) => {
    if (asked.method === 'GET') {
      streams.push(answer)
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      return void answer.write(`event: endpoint\ndata: ${endpoint}\n\n${more}`)
    }
    const stream = streams.at(-1)
    if (asked.path === '/mcp' || stream === undefined) return void answer.writeHead(405).end()
    old(asked, answer, stream)
  })
  return { ...server, streams }
}

const openClient = (url: string) =>
  openPipedClient(world(), openUpstream(url, { Authorization: 'Bearer ours' }), openHttpLink)

describe('a server with the transport of 2024-11-05', () => {
  it('is initialized, listed and called through its stream, with our headers and every call judged', async () => {
    const server = await startOld()
    const client = await openClient(server.url)
    expect(await client.meet()).toMatchObject({ result: { protocolVersion: '2024-11-05' } })
    client.send({ method: 'notifications/initialized' })
    client.send({ id: 1, method: 'tools/list' })
    expect(await client.answer(1)).toMatchObject({ result: { tools: [NOTE] } })
    client.send({ id: 2, method: 'tools/call', params: { name: 'write_note', arguments: { text: 'for the old one' } } })
    const held = await world().held('for the old one')
    expect(server.seen.some((one) => one.message.method === 'tools/call')).toBe(false)
    await world().decide(held, { kind: 'approve' })
    expect(await client.answer(2)).toMatchObject({ result: { content: [{ text: 'ran tools/call' }] } })
    const told = server.seen.filter((one) => one.path === '/tell?session=7')
    expect(told.map((one) => one.message.method)).toContain('notifications/initialized')
    expect(told.every((one) => one.headers.authorization === 'Bearer ours')).toBe(true)
  })

  it('can send unprompted, and messages queued before initialization are sent in order', async () => {
    const server = await startOld()
    const client = await openClient(server.url)
    const met = client.meet()
    client.send({ id: 'a', method: 'ping' })
    client.send({ id: 'b', method: 'ping' })
    await met
    await client.answer('b')
    expect(server.seen.flatMap((one) => (one.path === '/mcp' ? [] : [one.message.id]))).toEqual(['init', 'a', 'b'])
    say(server.streams[0] as ServerResponse, { method: 'notifications/message', params: { level: 'info', data: 'x' } })
    await until('a notification', () => client.messages().find((one) => one['method'] === 'notifications/message'))
  })

  it('has its refusal of a message passed on, and ends the session if it forgets it', async () => {
    const server = await startOld((asked, answer, stream) => {
      if (asked.message.id === 'no') return void answer.writeHead(500).end()
      if (asked.message.id === 'gone') return void answer.writeHead(404).end()
      answers(asked, answer, stream)
    })
    const client = await openClient(server.url)
    await client.meet()
    client.send({ id: 'no', method: 'ping' })
    expect(await client.answer('no')).toMatchObject({ error: { message: 'the server answered 500' } })
    client.send({ id: 'gone', method: 'ping' })
    expect(await client.answer('gone')).toMatchObject({
      error: { message: 'no response: the server ended the session; start it again' },
    })
    expect(await client.done).toMatchObject({ by: 'server', why: 'the server ended the session; start it again' })
  })

  it('L7 can still answer a broken-off message on its stream, or else the outcome is unknown', async () => {
    const server = await startOld((asked, answer, stream) => {
      if (asked.message.id !== 'late' && asked.message.id !== 'never') return answers(asked, answer, stream)
      answer.destroy()
      if (asked.message.id === 'late') setTimeout(() => say(stream, { id: 'late', result: {} }), 100)
    })
    const client = await openClient(server.url)
    await client.meet()
    client.send({ id: 'late', method: 'ping' })
    expect(await client.answer('late')).toMatchObject({ result: {} })
    client.send({ id: 'list', method: 'tools/list' })
    await client.answer('list')
    client.send({ id: 'never', method: 'tools/call', params: { name: 'write_note', arguments: { text: 'lost one' } } })
    const held = await world().held('lost one')
    await world().decide(held, { kind: 'approve' })
    expect(await client.answer('never')).toMatchObject({ error: { message: expect.stringContaining('reached') } })
    await until('its outcome', async () => (await world().opened.desk.past(held.id))?.outcome === 'unknown')
  })

  it('answers nothing more after its stream ends', async () => {
    const server = await startOld((asked, answer, stream) => {
      if (asked.message.method === 'ping') stream.end()
      else answers(asked, answer, stream)
    })
    const client = await openClient(server.url)
    await client.meet()
    client.send({ id: 1, method: 'ping' })
    expect(await client.done).toMatchObject({ by: 'server', why: 'the server closed its stream' })
    expect(await client.answer(1)).toHaveProperty('error')
  })

  it('is heard also if a message arrives together with its endpoint', async () => {
    const early = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'early' } }
    const server = await startOld(answers, '/tell', `data: ${JSON.stringify(early)}\n\n`)
    const client = await openClient(server.url)
    await client.meet()
    expect(client.messages()[0]).toMatchObject(early)
  })

  it('ends when the client is gone and everything is answered', async () => {
    const server = await startOld()
    const client = await openClient(server.url)
    await client.meet()
    client.send({ id: 1, method: 'ping' })
    client.input.end()
    await client.answer(1)
    expect(await client.done).toMatchObject({ by: 'client' })
    await until('the end of the stream', () => server.streams[0]?.destroyed)
  })

  it.each([
    ['names an endpoint on another origin', 'http://127.0.0.2:9/tell'],
    ['names an invalid endpoint', 'http://'],
  ])('gets no messages if it %s', async (_, endpoint) => {
    const server = await startOld(answers, endpoint)
    const client = await openClient(server.url)
    expect(await client.meet()).toMatchObject({ error: { message: expect.stringContaining('another origin') } })
    expect(server.seen.filter((one) => one.method === 'POST').map((one) => one.path)).toEqual(['/mcp'])
  })
})

describe('a server with Streamable HTTP', () => {
  it('is never asked for an older stream', async () => {
    const server = await startScripted((asked, answer) => behave(asked, answer, [NOTE]))
    const client = await openClient(server.url)
    await client.meet()
    client.send({ id: 1, method: 'tools/list' })
    await client.answer(1)
    expect(server.seen.map((one) => one.method)).toEqual(['POST', 'POST'])
  })

  it('L10 is given up if it refuses `initialize` and never starts the older stream', async () => {
    const server = await startScripted(({ method }, answer) => {
      if (method !== 'GET') answer.writeHead(405).end()
    })
    const client = await openClient(server.url)
    expect(await client.meet()).toMatchObject({ error: { message: expect.stringContaining('405') } })
  })

  it('is reported as refusing with 401 if the older stream requires sign-in', async () => {
    const server = await startScripted(({ method }, answer) => {
      answer.writeHead(method === 'GET' ? 401 : 405).end()
    })
    const client = await openClient(server.url)
    expect(await client.meet()).toMatchObject({ error: { message: expect.stringContaining('refused with 401') } })
  })

  it('is reported with its own refusal if it has no older stream', async () => {
    const server = await startScripted(({ method, message }, answer) => {
      if (method === 'GET') return void answer.writeHead(405).end()
      answer.writeHead(400, { 'content-type': 'application/json' })
      answer.end(
        JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'not this version' } }),
      )
    })
    const client = await openClient(server.url)
    expect(await client.meet()).toMatchObject({ error: { code: -32602, message: 'not this version' } })
  })
})
