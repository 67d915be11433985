import { join } from 'node:path'
import { openCrypto, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../../identity/server-identity.ts'
import { contactServer, createCatalogue } from '../../pins/create-catalogue.ts'
import { until } from '../../relay/relay-world.fixture.ts'
import { httpWorld } from '../http-world.fixture.ts'
import { behave, type ScriptedRequest, sayJson, startScripted, toolNamed } from '../scripted-server.fixture.ts'
import { openProxy, type ProxyOptions, wordsOf } from './listen.fixture.ts'

const world = httpWorld()
const TOOLS = ['get_note', 'write_note'].map((name) => toolNamed(name))
const ALICE = { authorization: 'Bearer alice' }
const BOB = { authorization: 'Bearer bob' }
const PENDING = { hold: { mode: 'pending', limitMs: 300 } } as const
type Proxy = Awaited<ReturnType<typeof openProxy>>

const call = (id: number, name: string, args: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Retries while the call is undecided: a busy machine can exceed the limit. */
async function askAgain(proxy: Proxy, about: string, headers: Record<string, string>): Promise<string> {
  for (let id = 2; ; id += 1) {
    const words = wordsOf(await proxy.post(call(id, 'write_note', { about }), headers).done)
    if (!words.includes('PENDING')) return words
  }
}

/** A proxy in front of a server without sessions, unless it starts one. */
async function open(options: ProxyOptions = {}, toolsOf: (asked: ScriptedRequest) => readonly object[] = () => TOOLS) {
  const server = await startScripted((asked, answer) => {
    const { id, method } = asked.message
    if (method === 'initialize') return sayJson(answer, { id, result: {} }, { 'mcp-session-id': 'S' })
    if (asked.message.params?.['name'] === 'hang') return
    behave(asked, answer, toolsOf(asked))
  })
  return { server, proxy: await openProxy(world(), { server: server.url, ...options }) }
}

describe('the identity of a client', () => {
  it('is not a made-up session id: the server starts a session', async () => {
    const { proxy } = await open()
    for (const session of ['one', 'two', 'three'])
      await proxy.post({ id: 1, method: 'ping' }, { 'mcp-session-id': session }).done
    expect(proxy.seats()).toBe(1)
    await proxy.post({ id: 1, method: 'initialize', params: {} }).done
    await proxy.post({ id: 1, method: 'ping' }, { 'mcp-session-id': 'S' }).done
    expect(proxy.seats()).toBe(2)
  })

  it('is its credential, in any header that servers use', async () => {
    const { proxy } = await open()
    for (const headers of [ALICE, BOB, ALICE, { 'x-api-key': 'a' }, { 'x-api-key': 'b' }, {}])
      await proxy.post({ id: 1, method: 'ping' }, headers).done
    expect(proxy.seats()).toBe(5)
  })

  it('is not a credential that ours replaces', async () => {
    const { proxy, server } = await open({ own: { Authorization: 'Bearer ours' } })
    for (const headers of [ALICE, BOB, {}]) await proxy.post({ id: 1, method: 'ping' }, headers).done
    expect(proxy.seats()).toBe(1)
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ours']))
  })
})

describe('one client’s approval', () => {
  it.each([
    ['with a session', { 'mcp-session-id': 'S' }],
    ['without a session', {}],
  ])('is not collected by another credential: %s', async (_, session) => {
    const { proxy, server } = await open(PENDING)
    await proxy.post({ id: 0, method: 'initialize', params: {} }, ALICE).done
    const about = `pay-${_}`
    const first = await proxy.post(call(1, 'write_note', { about }), { ...ALICE, ...session }).done
    expect(wordsOf(first)).toContain('PENDING')
    await world().decide(await world().held(about), { kind: 'approve' })
    const foreign = await proxy.post(call(1, 'write_note', { about }), { ...BOB, ...session }).done
    expect(wordsOf(foreign)).toContain('PENDING')
    expect(server.seen.filter(({ message }) => message.method === 'tools/call')).toEqual([])
    expect(await askAgain(proxy, about, { ...ALICE, ...session })).toBe('ran write_note')
  })

  it('is kept while other clients come and go', async () => {
    const { proxy } = await open(PENDING)
    await proxy.post(call(1, 'write_note', { about: 'kept' }), ALICE).done
    const view = await world().held('kept')
    for (let at = 0; at < 270; at += 1)
      await proxy.post({ id: 1, method: 'ping' }, { authorization: `Bearer ${at}` }).done
    expect(proxy.seats()).toBe(271)
    await world().decide(view, { kind: 'approve' })
    expect(await askAgain(proxy, 'kept', ALICE)).toBe('ran write_note')
  })
})

describe('a cancellation from indistinguishable clients', () => {
  const cancel = (requestId: number) => ({ method: 'notifications/cancelled', params: { requestId } })

  it('ends nothing if two calls have its id', async () => {
    const { proxy } = await open()
    const calls = ['first', 'second'].map((about) => proxy.post(call(7, 'write_note', { about })))
    const views = [await world().held('first'), await world().held('second')]
    expect((await proxy.post(cancel(7)).done).status).toBe(202)
    for (const view of views) await world().decide(view, { kind: 'approve' })
    for (const { done } of calls) expect(wordsOf(await done)).toBe('ran write_note')
  })

  it('ends nothing of a different kind of client', async () => {
    const { proxy } = await open()
    const asking = proxy.post(call(7, 'write_note', { about: 'of-mine' }), { 'user-agent': 'one' })
    const view = await world().held('of-mine')
    await proxy.post(cancel(7), { 'user-agent': 'two' }).done
    await world().decide(view, { kind: 'approve' })
    expect(wordsOf(await asking.done)).toBe('ran write_note')
  })

  it('is reported as such to the waiting client, for held and running calls', async () => {
    const { proxy, server } = await open()
    const held = proxy.post(call(7, 'write_note', { about: 'no-more' }))
    await world().held('no-more')
    await proxy.post(cancel(7)).done
    expect((await held.done).messages).toMatchObject([{ id: 7, error: { message: 'the call was cancelled' } }])
    await until('the withdrawal', async () => ((await world().heldNow('no-more')) ? undefined : true))
    const running = proxy.post({ id: 8, method: 'prompts/get', params: { name: 'hang' } })
    await until('the call', () => server.seen.find(({ message }) => message.id === 8))
    await proxy.post(cancel(8)).done
    expect(await running.done).toMatchObject({
      status: 200,
      messages: [{ id: 8, error: { message: 'the call was cancelled' } }],
    })
  })
})

describe('a server that lists different tools for different credentials', () => {
  it('keeps one client’s list if it lists less to another', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const crypto = openCrypto(home)
    const server = serverIdentity({ url: 'http://127.0.0.1/mcp' }, crypto)
    const about = { home, label: 'small', server, crypto, now: () => 1000, report() {} }
    const met = contactServer(about)
    const { proxy } = await open({ newCatalogue: () => createCatalogue(about, met) }, ({ headers }) =>
      headers.authorization === ALICE.authorization ? TOOLS : TOOLS.slice(1),
    )
    const list = (who: Record<string, string>) => proxy.post({ id: 1, method: 'tools/list' }, who).done
    const read = async (who: Record<string, string>) => wordsOf(await proxy.post(call(2, 'get_note', {}), who).done)
    await list(ALICE)
    expect(await read(ALICE)).toBe('ran get_note')
    await list(BOB)
    expect(await read(ALICE)).toBe('ran get_note')
    expect(await read(BOB)).toContain('does not list it')
  })
})
