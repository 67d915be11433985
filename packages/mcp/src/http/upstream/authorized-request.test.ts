import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { until } from '../../relay/relay-world.fixture.ts'
import { startOAuthServers } from '../../sign-in/oauth-servers.fixture.ts'
import { fileOf, signInAt, signInHome } from '../../sign-in/signed-in.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { openPipedClient } from '../link/piped-client.fixture.ts'
import { openStreamableHttpLink } from '../link/streamable-http-link.ts'
import { openProxy, wordsOf } from '../listener/listen.fixture.ts'
import { startScripted } from '../scripted-server.fixture.ts'
import type { Bearer } from './authorized-request.ts'
import { openUpstream } from './upstream.ts'

const world = httpWorld()

async function signedIn() {
  const servers = await startOAuthServers()
  const at = signInHome(servers)
  const kept = await signInAt(servers)
  await at.store.withLock(async () => at.store.write(kept))
  return { servers, kept, ...at }
}

/** Returns these tokens, the next each time one is refused. */
function bearerOf(...tokens: readonly (string | null)[]): Bearer {
  let at = 0
  return {
    current: () => tokens[at] ?? null,
    async replacement() {
      at += 1
      return tokens[at] ?? null
    },
    cached: () => tokens[at],
    accepted() {},
    advice: () => 'sign in first',
    scopeAdvice: (wanted) => `sign in further: ${wanted}`,
  }
}

/** Sends a request with this bearer and returns the response. */
async function openClient(url: string, bearer: Bearer) {
  const client = await openPipedClient(world(), openUpstream(url, {}, bearer), openStreamableHttpLink)
  return (message: { readonly id: number; readonly method: string; readonly params?: object }) => {
    client.send(message)
    return client.answer(message.id)
  }
}

const call = (id: number) => ({ id, method: 'tools/call', params: { name: 'get_note', arguments: { text: `n${id}` } } })

describe('a server that requires sign-in', () => {
  it('gets the stored token, and a new one when the old one expires: the call runs once, with the same bytes', async () => {
    const { servers, kept, bearer } = await signedIn()
    const ask = await openClient(servers.server, bearer())
    expect(await ask(call(1))).toMatchObject({ result: { content: [{ text: 'ran get_note' }] } })
    servers.expireAll()
    let ran = 0
    servers.behaviour.serve = ({ message }) => {
      if (message.method === 'tools/call') ran += 1
      return false
    }
    expect(await ask(call(2))).toMatchObject({ result: { content: [{ text: 'ran get_note' }] } })
    const [refused, run, ...more] = servers.calls().filter(({ body }) => body.includes('n2'))
    expect([refused?.headers.authorization, more.length, ran]).toEqual([`Bearer ${kept.accessToken}`, 0, 1])
    expect(run?.body).toBe(refused?.body)
    expect(servers.live.has(run?.headers.authorization?.slice(7) ?? '')).toBe(true)
    servers.expireAll() // the renewed token expires too
    expect(await ask(call(3))).toMatchObject({ result: { content: [{ text: 'ran get_note' }] } })
  })

  it('gets no request while the stored sign-in is unusable', async () => {
    const { servers, home, bearer, said } = await signedIn()
    const ask = await openClient(servers.server, bearer())
    expect(await ask({ id: 1, method: 'ping' })).toMatchObject({ result: {} })
    chmodSync(fileOf(home), 0o644)
    const before = servers.seen.length
    const next = await openClient(servers.server, bearer())
    const line = expect.stringMatching(
      /can be read by other users; run `chmod 600 .*; or run `countersign mcp sign-in`/,
    )
    expect(await next({ id: 2, method: 'ping' })).toMatchObject({ error: { code: -32000, message: line } })
    expect(said).toEqual([line])
    expect(servers.seen.length).toBe(before)
    chmodSync(fileOf(home), 0o600)
    expect(await (await openClient(servers.server, bearer()))({ id: 3, method: 'ping' })).toMatchObject({ result: {} })
  })

  it('gets DELETE only with a token at hand: none is renewed for it', async () => {
    const { servers, bearer } = await signedIn()
    const goodbye = async (signer: Bearer) => {
      const upstream = openUpstream(servers.server, {}, signer)
      await upstream.closeSession('DELETE', [], AbortSignal.timeout(5_000))
      upstream.close()
      return servers.seen.filter(({ method }) => method === 'DELETE').length
    }
    expect(await goodbye(bearer())).toBe(1)
    expect(await goodbye({ ...bearer(), cached: () => undefined })).toBe(1)
    expect(await goodbye({ ...bearer(), cached: () => null })).toBe(2)
    expect(servers.renewals()).toBe(0)
  })

  it('is not read forever if it refuses with an endless body', async () => {
    const chunk = Buffer.alloc(65_536)
    const left: Promise<unknown>[] = []
    const server = await startScripted((_, answer) => {
      left.push(once(answer, 'close'))
      const more = (): void => {
        while (!answer.destroyed && answer.write(chunk));
      }
      answer.writeHead(401).on('drain', more)
      more()
    })
    const proxy = await openProxy(world(), { server: server.url, own: {}, bearer: bearerOf('one', 'two') })
    expect((await proxy.post({ id: 1, method: 'ping' }).done).status).toBe(502)
    expect(left).toHaveLength(2)
    await Promise.all(left)
  })

  it('can be signed in to while the proxy runs: later calls pass, and the client is told how', async () => {
    const servers = await startOAuthServers()
    const { store, bearer, said } = signInHome(servers)
    const ask = await openClient(servers.server, bearer())
    const line = expect.stringMatching(/^sign in first: run `countersign mcp sign-in`/)
    expect(await ask({ id: 1, method: 'initialize', params: {} })).toMatchObject({ error: { message: line } })
    expect(said).toEqual([line])
    const kept = await signInAt(servers)
    await store.withLock(async () => store.write(kept))
    expect(await ask({ id: 2, method: 'ping' })).toMatchObject({ result: {} })
    servers.revokeAll()
    expect(await ask({ id: 3, method: 'ping' })).toMatchObject({
      error: { message: expect.stringMatching(/^the sign-in expired; sign in first/) },
    })
  })

  it('gets at most one retry, and none after any other response', async () => {
    const answers = [401, 401, 500, 403, 403]
    const challenges = [
      'Bearer error="insufficient_scope", scope="notes:read notes:write"',
      'Bearer error="insufficient_scope", scope="$(id)"',
    ]
    const server = await startScripted((_, answer) => {
      const status = answers.shift() ?? 200
      const scopeAdvice = status === 403 ? { 'www-authenticate': challenges.shift() } : {}
      answer.writeHead(status, scopeAdvice).end()
    })
    const said: (readonly [number | undefined, string | null])[] = []
    const upstream = openUpstream(server.url, {}, bearerOf('one', 'two', 'three'))
    for (let times = 0; times < 4; times += 1) {
      const answer = await upstream.open('POST', [], Buffer.from('{}'))
      answer.resume()
      said.push([answer.statusCode, upstream.whyRefused(answer)])
    }
    upstream.close()
    expect(said).toEqual([
      [401, 'sign in first'],
      [500, null],
      [403, 'sign in further: notes:read notes:write'],
      [403, 'sign in further: null'],
    ])
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
      ['one', 'two', 'two', 'two', 'two'].map((token) => `Bearer ${token}`),
    )
  })

  it('never gets the token after a redirect to another origin; `--header` and the client’s header win', async () => {
    const thief = await startScripted((_, answer) => void answer.writeHead(200).end())
    const server = await startScripted(({ path }, answer) => {
      const location = path === '/mcp' ? '/there' : thief.url
      answer.writeHead(307, { location }).end()
    })
    const open = async (own: Record<string, string>, headers: readonly string[]) => {
      const upstream = openUpstream(server.url, own, bearerOf('kept'))
      const answer = await upstream.open('POST', headers, Buffer.from('{}'))
      answer.resume()
      upstream.close()
      expect(answer.statusCode).toBe(307)
      return server.seen.splice(0).map((one) => one.headers.authorization)
    }
    expect(await open({}, [])).toEqual(['Bearer kept', 'Bearer kept'])
    expect(await open({ Authorization: 'Key ours' }, [])).toEqual(['Key ours', 'Key ours'])
    expect(await open({}, ['authorization', 'Key theirs'])).toEqual(['Key theirs', 'Key theirs'])
    expect(thief.seen).toEqual([])
  })

  it('gets no request from a client that left while the token was renewed', async () => {
    const server = await startScripted((_, answer) => void answer.writeHead(401).end())
    const renewing = Promise.withResolvers<string | null>()
    let asked = 0
    const slow: Bearer = {
      ...bearerOf('one'),
      replacement() {
        asked += 1
        return renewing.promise
      },
    }
    const upstream = openUpstream(server.url, {}, slow)
    const [room, gone] = [{ leave() {} }, new AbortController()]
    const waiting = [room, gone.signal].map((one) => upstream.open('POST', [], Buffer.from('{}'), one))
    const ended = Promise.allSettled(waiting)
    await until('both were refused', () => asked === 2 || undefined)
    room.leave()
    gone.abort()
    renewing.resolve('two')
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    upstream.close()
    expect(server.seen).toHaveLength(2)
  })
})

describe('a listening proxy in front of a server that requires sign-in', () => {
  it('uses the stored token for clients without one, and passes on theirs', async () => {
    const { servers, kept, bearer } = await signedIn()
    const proxy = await openProxy(world(), { server: servers.server, own: {}, bearer: bearer() })
    expect((await proxy.call('get_note', {}).done).status).toBe(200)
    expect(servers.calls().at(-1)?.headers.authorization).toBe(`Bearer ${kept.accessToken}`)
    const theirs = await proxy.post({ id: 9, method: 'ping' }, { authorization: 'Bearer theirs' }).done
    expect(servers.seen.at(-1)?.headers.authorization).toBe('Bearer theirs')
    expect([theirs.status, theirs.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="notes", scope="notes:read"',
    ])
  })

  it('explains how to sign in, with a status that does not start a sign-in in the client', async () => {
    const servers = await startOAuthServers()
    const { bearer } = signInHome(servers)
    const proxy = await openProxy(world(), { server: servers.server, own: {}, bearer: bearer() })
    const { status, headers, messages } = await proxy.post({ id: 1, method: 'ping' }).done
    expect([status, headers['www-authenticate']]).toEqual([502, undefined])
    expect(messages).toMatchObject([{ id: 1, error: { message: expect.stringMatching(/^sign in first/) } }])
    expect((await proxy.send('GET', null).done).status).toBe(502)
  })

  it('sends nothing for anybody while the sign-in is unusable, and reports why', async () => {
    const { servers, home, bearer } = await signedIn()
    chmodSync(fileOf(home), 0o644)
    const before = servers.seen.length
    const proxy = await openProxy(world(), { server: servers.server, own: {}, bearer: bearer() })
    const { status, messages } = await proxy.post({ id: 1, method: 'ping' }).done
    const line = expect.stringMatching(/can be read by other users/)
    expect([status, messages]).toEqual([502, [expect.objectContaining({ error: { code: -32000, message: line } })]])
    expect(wordsOf(await proxy.call('get_note', {}).done)).toMatch(/can be read by other users/)
    expect((await proxy.send('GET', null).done).status).toBe(502)
    expect(servers.seen.length).toBe(before)
  })
})
