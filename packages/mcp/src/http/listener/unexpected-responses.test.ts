import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../../pins/catalogue.ts'
import { until } from '../../relay/relay-world.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { behave, type Script, sayEvent, sayJson, startScripted, toolNamed } from '../scripted-server.fixture.ts'
import { messagesIn, openProxy } from './listen.fixture.ts'

const world = httpWorld()
const POISON = 'CHANGED'
const poisoned = { tools: [toolNamed('a', POISON)] }

/** Nothing in a list is accepted: a tool that reaches the client was not checked. */
const strict = (): Catalogue => ({
  take: async (result) => ({ ...result, tools: [] }),
  find: () => ({ kind: 'unadvertised', why: 'nothing is accepted' }),
})

async function open(script: Script) {
  const server = await startScripted(script)
  const proxy = await openProxy(world(), { server: server.url, newCatalogue: strict })
  return { server, proxy }
}

const isList = (message: { readonly method?: string }) => message.method === 'tools/list'

describe('a tool list in an unexpected place', () => {
  it('is checked on the standing stream', async () => {
    let openStreams: ServerResponse | undefined
    let listing: ServerResponse | undefined
    const { proxy } = await open((asked, answer) => {
      if (asked.method === 'GET') {
        openStreams = answer.writeHead(200, { 'content-type': 'text/event-stream' })
        openStreams.write(': here\n\n')
      } else if (isList(asked.message)) {
        listing = answer.writeHead(200, { 'content-type': 'text/event-stream' })
        listing.write(': deferred\n\n')
        if (openStreams !== undefined) sayEvent(openStreams, { id: asked.message.id, result: poisoned })
      } else behave(asked, answer, [])
    })
    const stream = proxy.send('GET', null)
    await until('the stream', () => (stream.text().includes('here') ? true : undefined))
    const asking = proxy.post({ id: 2, method: 'tools/list' })
    await until('the answer', () => messagesIn(stream.text()).find(({ id }) => id === 2))
    expect(stream.text()).not.toContain(POISON)
    listing?.end()
    expect((await asking.done).messages).toEqual([])
    stream.request.destroy()
  })

  it.each([
    ['another spelling of its id', (id: unknown) => String(id)],
    ['an unknown id', () => 999],
    ['its id in a list', (id: unknown) => [id]],
  ])('is not passed on under %s, and the asker gets an error', async (_, idOf) => {
    const { proxy } = await open((asked, answer) => {
      if (!isList(asked.message)) return behave(asked, answer, [])
      sayEvent(answer, { id: idOf(asked.message.id), result: poisoned })
      answer.end()
    })
    const got = await proxy.post({ id: 2, method: 'tools/list' }).done
    expect(got.text).not.toContain(POISON)
    expect(got.messages).toMatchObject([{ id: 2, error: { code: -32000 } }])
  })

  it.each([
    ['in a body', 2, (answer: ServerResponse, message: object) => sayJson(answer, message)],
    ['in a stream', 2, (answer: ServerResponse, message: object) => sayEvent(answer, message)],
  ])('is not passed on as the answer to another request, %s', async (_, id, say) => {
    let list: ServerResponse | undefined
    const { proxy } = await open((asked, answer) => {
      if (isList(asked.message)) list = answer
      else say(answer, { id, result: poisoned })
    })
    const asking = proxy.post({ id, method: 'tools/list' })
    await until('the question', () => list)
    const other = proxy.post({ id: 7, method: 'ping' })
    await until('something of it', () => (other.text() === '' ? undefined : true))
    expect(other.text()).not.toContain(POISON)
    for (const { request } of [asking, other]) request.destroy()
  })

  it.each([
    ['an error status', (answer: ServerResponse, text: string) => answer.writeHead(400).end(text)],
    ['a server failure', (answer: ServerResponse, text: string) => answer.writeHead(500).end(`\ufeff${text}`)],
    ['an error status, twice', (answer: ServerResponse, text: string) => answer.writeHead(403).end(`[${text}]`)],
    [
      'an error status, with an error next to it',
      (answer: ServerResponse, text: string) => answer.writeHead(400).end(`${text.slice(0, -1)},"error":{"code":1}}`),
    ],
    [
      'a compressed body',
      (answer: ServerResponse, text: string) =>
        answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
    ],
    [
      'a compressed error',
      (answer: ServerResponse, text: string) => answer.writeHead(404, { 'content-encoding': 'br' }).end(text),
    ],
    [
      'a compressed stream',
      (answer: ServerResponse, text: string) =>
        answer
          .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'deflate' })
          .end(`x\n\ndata: ${text}\n\n`),
    ],
    [
      'an event with another name',
      (answer: ServerResponse, text: string) => event(answer, `event: tools\ndata: ${text}`),
    ],
    [
      'an event with a name that two parsers read differently',
      (answer: ServerResponse, text: string) => event(answer, `event: tools\ndata: {"id":1,${text.slice(1)}`),
    ],
  ])('is not passed on in %s', async (_, say) => {
    const { proxy } = await open((asked, answer) => {
      if (!isList(asked.message)) return behave(asked, answer, [])
      say(answer, JSON.stringify({ jsonrpc: '2.0', id: asked.message.id, result: poisoned }))
    })
    const got = await proxy.post({ id: 2, method: 'tools/list' }).done
    expect(got.text).not.toContain(POISON)
    expect(got.headers['content-encoding']).toBeUndefined()
  })

  it('is not passed on as the response body to a notification', async () => {
    const { proxy } = await open((_, answer) => sayJson(answer, { id: 2, result: poisoned }))
    const got = await proxy.post({ method: 'notifications/initialized' }).done
    expect([got.status, got.text]).toEqual([200, ''])
  })
})

describe('a client that follows a server’s redirects', () => {
  it('is not sent past the proxy', async () => {
    const { proxy } = await open((_, answer) => void answer.writeHead(307, { location: 'http://127.0.0.1:1/' }).end())
    const got = await proxy.post({ id: 1, method: 'tools/list' }).done
    expect(got).toMatchObject({ status: 502, messages: [{ id: 1, error: { code: -32000 } }] })
    expect(got.headers.location).toBeUndefined()
  })
})

describe('a stream that ends without an answer', () => {
  it.each([
    ['cleanly', (answer: ServerResponse) => answer.end()],
    ['in the middle of an event', (answer: ServerResponse) => answer.end('data: {"jsonrpc":"2.0",')],
    ['by a broken connection', (answer: ServerResponse) => answer.destroy()],
  ])('%s is still answered', async (_, end) => {
    const { proxy } = await open((_asked, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.write(': here\n\n', () => end(answer))
    })
    const got = await proxy.post({ id: 4, method: 'prompts/list' }).done
    expect(got.messages).toMatchObject([
      { id: 4, error: { code: -32000, message: expect.stringContaining('closed its stream') } },
    ])
  })

  it('is answered once, even if the server answers twice', async () => {
    const { proxy } = await open((asked, answer) => {
      for (const said of ['one', 'two']) sayEvent(answer, { id: asked.message.id, result: { said } })
      answer.end()
    })
    const got = await proxy.post({ id: 4, method: 'prompts/list' }).done
    expect(got.messages).toMatchObject([{ id: 4, result: { said: 'one' } }])
  })

  it('is answered if its server is gone', async () => {
    const { proxy, server } = await open((asked, answer) => {
      if (asked.message.method !== 'prompts/list') return behave(asked, answer, [])
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(': runs\n\n')
    })
    const asking = proxy.post({ id: 4, method: 'prompts/list' })
    await until('the stream', () => (asking.text().includes('runs') ? true : undefined))
    server.kill()
    expect((await asking.done).messages).toMatchObject([{ id: 4, error: { code: -32000 } }])
    const after = await proxy.post({ id: 5, method: 'prompts/list' }).done
    expect(after).toMatchObject({ status: 502, messages: [{ id: 5, error: { code: -32000 } }] })
  })
})

function event(answer: ServerResponse, lines: string): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${lines}\n\n`)
}
