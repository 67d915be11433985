import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { until } from '../../relay/relay-world.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { openProxy } from '../listener/listen.fixture.ts'
import { behave, type Script, sayEvent, sayJson, startScripted, toolNamed } from '../scripted-server.fixture.ts'
import { openUpstream } from '../upstream/upstream.ts'
import { openHttpLink } from './http-link.ts'
import { openPipedClient } from './piped-client.fixture.ts'

const world = httpWorld()
const MET = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
const NOTE = toolNamed('write_note')

const openClient = (url: string) => openPipedClient(world(), openUpstream(url, {}), openHttpLink)

/** A well-behaved server with a session, except where a test overrides it: `true` if it answered. */
const unusual =
  (says: (...given: Parameters<Script>) => boolean): Script =>
  (asked, answer) => {
    if (says(asked, answer)) return
    if (asked.message.method !== 'initialize') return behave(asked, answer, [NOTE])
    sayJson(answer, { id: asked.message.id, result: MET }, { 'mcp-session-id': 's' })
  }

const isCall = ({ message }: Parameters<Script>[0]): boolean => message.method === 'tools/call'

/** The outcome of an approved call, for a piped client and for an HTTP client; null if its server is gone by then. */
async function outcomes(says: ((answer: ServerResponse) => void) | null) {
  let isLast = false
  const start = async () => {
    const server = await startScripted(
      unusual((asked, answer) => {
        // The list is requested again right before a call is sent.
        if (isLast && asked.message.method === 'tools/list')
          answer.setHeader('connection', 'close').once('finish', server.kill)
        if (isCall(asked)) says?.(answer)
        return isCall(asked)
      }),
    )
    return server.url
  }
  const client = await openClient(await start())
  const proxy = await openProxy(world(), { server: await start() })
  const call = (text: string) => ({ id: 7, method: 'tools/call', params: { name: 'write_note', arguments: { text } } })
  client.send(call('by-pipe'))
  const asking = proxy.post(call('by-http'))
  const held = [await world().held('by-pipe'), await world().held('by-http')]
  isLast = says === null
  for (const one of held) await world().decide(one, { kind: 'approve' })
  const told = [await client.answer(7), (await asking.done).messages.at(-1)]
  const ended = held.map(({ id }) =>
    until('its outcome', async () => (await world().opened.desk.past(id))?.outcome ?? undefined),
  )
  return { told, ended: await Promise.all(ended) }
}

describe('a server with a session', () => {
  it('works without a route for streams', async () => {
    const server = await startScripted(
      unusual((asked, answer) => {
        if (asked.method === 'GET') answer.writeHead(404).end('Cannot GET /mcp')
        return asked.method === 'GET'
      }),
    )
    const client = await openClient(server.url)
    await client.initialize()
    await until('the question for a stream', () => server.seen.find(({ method }) => method === 'GET'))
    for (const id of [1, 2]) {
      client.send({ id, method: 'tools/list' })
      expect(await client.answer(id)).toMatchObject({ result: { tools: [NOTE] } })
    }
  })

  it('that leaves the stream of `initialize` open is used, and left at once', async () => {
    const { url } = await startScripted(
      unusual((asked, answer) => {
        const isFirst = asked.message.method === 'initialize'
        if (isFirst) sayEvent(answer, { id: asked.message.id, result: MET })
        return isFirst
      }),
    )
    const client = await openClient(url)
    await client.initialize()
    client.send({ id: 1, method: 'tools/list' })
    expect(await client.answer(1)).toMatchObject({ result: { tools: [NOTE] } })
    const since = performance.now()
    client.input.end()
    expect(await client.done).toMatchObject({ by: 'client', why: 'the connection was closed' })
    expect(performance.now() - since).toBeLessThan(1500)
  })

  it('that needs an answer before it answers `initialize` gets it', async () => {
    let first: ServerResponse | undefined
    const { url } = await startScripted(
      unusual(({ message }, answer) => {
        if (message.method === 'initialize') {
          first = answer
          sayEvent(answer, { id: 'are you there', method: 'ping' })
        } else if (message.id === 'are you there') {
          answer.writeHead(202).end()
          if (first !== undefined) sayEvent(first, { id: 'init', result: MET })
        } else return false
        return true
      }),
    )
    const client = await openClient(url)
    const met = client.meet()
    client.send({ id: 1, method: 'tools/list' })
    await until('its question', () => client.messages().find((one) => one['method'] === 'ping'))
    client.send({ id: 'are you there', result: {} })
    expect(await met).toMatchObject({ result: MET })
    expect(await client.answer(1)).toMatchObject({ result: { tools: [NOTE] } })
  })

  it('that breaks off its refusal while the older stream is tried leaves no request unanswered', async () => {
    const { url } = await startScripted(
      unusual(({ method }, answer) => {
        if (method === 'GET') {
          const broken = refused
          broken?.once('close', () => setImmediate(() => answer.writeHead(405).end()))
          broken?.destroy()
        } else {
          refused = answer.writeHead(400, { 'content-length': '100', 'content-type': 'application/json' })
          refused.write('{"jsonrpc')
        }
        return true
      }),
    )
    let refused: ServerResponse | undefined
    const client = await openClient(url)
    expect(await client.meet()).toMatchObject({ error: { message: 'the server answered 400' } })
  })
})

describe('L7 the outcome of a sent call', () => {
  it.each([301, 303, 307])('is unknown after a redirect with %i', async (status) => {
    const ended = await outcomes((answer) => answer.writeHead(status, { location: 'http://127.0.0.2:9/x' }).end())
    const moved = { error: { message: expect.stringContaining('the URL it moved to') } }
    expect(ended).toMatchObject({ ended: ['unknown', 'unknown'], told: [moved, moved] })
  })

  it('is unknown if its answer broke off, and is reported as such', async () => {
    const ended = await outcomes((answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      answer.write('{"jsonrpc', () => answer.destroy())
    })
    const broken = { error: { message: 'the server broke off its response' } }
    expect(ended).toMatchObject({ ended: ['unknown', 'unknown'], told: [broken, broken] })
  })

  it('is that it never arrived, if the server is unreachable', async () => {
    const refused = { error: { message: expect.stringContaining('ECONNREFUSED') } }
    expect(await outcomes(null)).toMatchObject({ ended: ['failed', 'failed'], told: [refused, refused] })
  })
})

describe('a session behind a listening proxy', () => {
  const call = { name: 'write_note', arguments: {} }

  it('survives a server without a stream: held calls stay held', async () => {
    const { url } = await startScripted(
      unusual((asked, answer) => {
        if (asked.method === 'GET') answer.writeHead(404).end()
        return asked.method === 'GET'
      }),
    )
    const proxy = await openProxy(world(), { server: url })
    const session = await proxy.session()
    const asking = session.call(call.name, { text: 'outlives' })
    const held = await world().held('outlives')
    expect((await proxy.send('GET', null, session.headers).done).status).toBe(404)
    expect(await world().decide(held, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect((await asking.done).messages).toMatchObject([{ result: { content: [{ text: 'ran write_note' }] } }])
  })

  it('reports its end to waiting clients', async () => {
    const proxy = await openProxy(world())
    const session = await proxy.session()
    const asking = session.call(call.name, { text: 'left behind' })
    await world().held('left behind')
    world().server.restart()
    expect((await session.call('get_note', {}).done).status).toBe(404)
    const ended = { error: { code: -32000, message: 'the session ended before the call was sent' } }
    expect((await asking.done).messages).toMatchObject([ended])
    expect(world().got('left behind')).toEqual([])
  })
})
