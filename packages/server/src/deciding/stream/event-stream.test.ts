import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { controlService, openHome, openOwnFolder } from '@countersign/node'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSignIn } from '../auth/browser-sessions.ts'
import type { Feed, FeedEvent } from './event-feed.ts'
import { openStream, type StreamParts } from './event-stream.ts'
import type { HeldBoard } from './held-calls.ts'

interface Told {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** Reads the live stream event by event. */
async function listen(world: ServiceWorld, path = '/stream', headers: Record<string, string> = {}) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { body, status } = await world.fetch(path, { headers, signal: stop.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<Told | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        return { id: field('id'), event: field('event') ?? '', data: JSON.parse(field('data') ?? 'null') }
      }
      const read = await reader?.read()
      if (read === undefined || read.done) return undefined
      text += read.value
    }
  }
  return {
    status,
    /** The next event of one of these kinds. */
    async next(...kinds: readonly string[]): Promise<Told> {
      for (;;) {
        const told = await next()
        if (told === undefined) throw new Error('the stream ended')
        if (kinds.includes(told.event)) return told
      }
    },
    stop: () => stop.abort(),
  }
}

describe('the live stream', () => {
  it('starts with a snapshot, then reports held calls and their outcomes', async () => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    expect((await stream.next('snapshot')).data).toMatchObject({ held: [], now: expect.any(Number) })
    const gate = await world.connect()
    const asked = gate.ask({ tool: 'deploy', args: {} })
    const held = await stream.next('held')
    const [view] = await world.held(1)
    expect(held.data).toEqual(view)
    if (view !== undefined) await world.decide(view, { kind: 'reject', reason: 'not today' })
    expect((await stream.next('closed')).data).toMatchObject({ held: view?.id, state: 'rejected', by: 'ana' })
    expect(await asked).toMatchObject({ outcome: 'rejected', reason: 'not today' })
  })

  it('reports calls that another process holds and decides', async () => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    await stream.next('snapshot')
    const { openGate } = await import('@countersign/node')
    const { gate } = await openGate({ home: world.home, workspace: world.workspace })
    onTestFinished(() => gate.close())
    const asked = gate.ask({ tool: 'deploy', args: {} })
    const { data } = await stream.next('held')
    const [view] = await world.held(1)
    if (view !== undefined) expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect(await asked).toMatchObject({ kind: 'permit' })
    expect((await stream.next('closed')).data).toMatchObject({ held: data['id'], state: 'approved' })
  })

  it('resumes without a snapshot; from too far back, with one', async () => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    const { id } = await stream.next('snapshot')
    stream.stop()
    const gate = await world.connect()
    void gate.ask({ id: 'missed', tool: 'deploy', args: {} })
    await world.held(1)
    const again = await listen(world, '/stream', { 'last-event-id': String(id) })
    const held = await again.next('held', 'snapshot')
    expect(held).toMatchObject({ event: 'held', data: { id: 'missed' } })
    expect(Number(held.id)).toBeGreaterThan(Number(id))
    // A page that opens a new stream cannot set the header, and puts the number in the URL.
    expect(await (await listen(world, `/stream?last=${id}`)).next('held', 'snapshot')).toMatchObject({ id: held.id })
    for (const last of ['999999', 'nonsense', '-1'])
      expect((await (await listen(world, '/stream', { 'last-event-id': last })).next('held', 'snapshot')).event).toBe(
        'snapshot',
      )
  })

  it('shows a reader of one session nothing of another (A10)', async () => {
    const world = await openServiceWorld()
    const [mine, other] = [await world.connect(), await world.connect()]
    void other.ask({ id: 'theirs', tool: 'deploy', args: {} })
    await world.held(1)
    const stream = await listen(world, `/stream?session=${mine.session}`)
    expect((await stream.next('snapshot')).data).toMatchObject({ held: [] })
    void other.ask({ id: 'theirs-too', tool: 'deploy', args: {} })
    await world.held(2)
    void mine.ask({ id: 'mine', tool: 'deploy', args: {} })
    expect((await stream.next('held')).data).toMatchObject({ id: 'mine' })
  })

  it('sends each entry once, in journal order, whoever wrote it', async () => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    await stream.next('snapshot')
    const { openGate } = await import('@countersign/node')
    const { gate } = await openGate({ home: world.home, workspace: world.workspace })
    onTestFinished(() => gate.close())
    const askers = [gate, await world.connect(), await world.connect()]
    const wanted = Array.from({ length: 15 }, (_, n) => askers.map((_, at) => `call-${at}-${n}`)).flat()
    for (const id of wanted) void askers[Number(id[5])]?.ask({ id, tool: 'deploy', args: { id } })
    const told: Told[] = []
    while (told.length < wanted.length) told.push(await stream.next('held'))
    expect(told.map(({ data }) => data['id']).toSorted()).toEqual(wanted.toSorted())
    const numbers = told.map(({ id }) => Number(id))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    const entries = await world.entries()
    expect(told.map(({ id, data }) => [Number(id), data['id']])).toEqual(
      entries.filter(({ kind }) => kind === 'held').map(({ seq, call }) => [seq, call]),
    )
  })

  it('sends the strict headers too, and no body for HEAD', async () => {
    const world = await openServiceWorld()
    const { status, headers, body } = await world.fetch('/stream', { method: 'HEAD' })
    expect([status, body]).toEqual([200, null])
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const opened = await world.fetch('/stream', { signal: stop.signal })
    for (const one of [headers, opened.headers])
      expect(Object.fromEntries(one)).toMatchObject({
        'content-type': 'text/event-stream',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cache-control': 'no-store',
      })
  })

  it('requires sign-in (A18)', async () => {
    const world = await openServiceWorld()
    for (const cookie of ['', `countersign-${world.port}=made-up`])
      expect((await listen(world, '/stream', { cookie })).status).toBe(401)
    expect((await world.fetch(`/stream?token=${world.cookie}`, { headers: { cookie: '' } })).status).toBe(401)
  })

  it('is released when its reader disconnects', async () => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    await stream.next('snapshot')
    expect((await world.service.status()).streams).toBe(1)
    stream.stop()
    await expect.poll(async () => (await world.service.status()).streams).toBe(0)
  })

  it('does not affect others if one reader stalls (A31)', async () => {
    const world = await openServiceWorld()
    const idle = connect(world.port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    idle.pause()
    idle.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost:${world.port}\r\nCookie: ${world.cookie}\r\n\r\n`)
    const stream = await listen(world)
    await stream.next('snapshot')
    await expect.poll(async () => (await world.service.status()).streams).toBe(2)
    const gate = await world.connect()
    for (let n = 0; n < 30; n += 1) {
      void gate.ask({ id: `seen-${n}`, tool: 'deploy', args: { text: 'x'.repeat(10_000) } })
      expect((await stream.next('held')).data).toMatchObject({ id: `seen-${n}` })
    }
    expect((await world.service.status()).streams).toBe(2)
  })
})

describe('large held calls', () => {
  const LARGE = { text: 'x'.repeat(60_000) }

  it('are summarised, sent in full on request, and leave small ones in full (L10)', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const live = await listen(world)
    await live.next('snapshot')
    void gate.ask({ id: 'large', tool: 'deploy', args: LARGE })
    const told = await live.next('held')
    expect(told.data).toMatchObject({ id: 'large', view: null, tool: 'deploy', risk: { level: 'high' } })
    void gate.ask({ id: 'small', tool: 'deploy', args: {} })
    expect((await live.next('held')).data).toMatchObject({ id: 'small', request: expect.any(String) })
    const { held } = await world.json<{ held: readonly Record<string, unknown>[] }>('/held')
    expect(held.find(({ id }) => id === 'large')).toEqual(told.data)
    const { data } = await (await listen(world)).next('snapshot')
    expect((data['held'] as readonly Record<string, unknown>[]).map(({ id, view }) => [id, view])).toEqual([
      ['large', null],
      ['small', undefined],
    ])
    const [view] = await world.held(2)
    expect(view).toMatchObject({ id: 'large', requestDigest: told.data['requestDigest'] })
    expect(JSON.stringify(view).length).toBe(told.data['bytes'])
    if (view !== undefined) expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
  })

  it('are all listed, without a large snapshot', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    for (let n = 0; n < 6; n += 1) void gate.ask({ id: `large-${n}`, tool: 'deploy', args: LARGE })
    await world.held(6)
    const { data } = await (await listen(world)).next('snapshot')
    expect(data['held']).toHaveLength(6)
    expect(JSON.stringify(data).length).toBeLessThan(16_384)
  })

  it('are refused over the limit of a session, and of all sessions', async () => {
    const world = await openServiceWorld({ bounds: { heldBytesInSession: 450_000, heldBytes: 700_000 } })
    const [one, other] = [await world.connect(), await world.connect()]
    const refused = { outcome: 'refused', code: 'CS_QUEUE_FULL' }
    for (const id of ['a', 'b']) void one.ask({ id, tool: 'deploy', args: LARGE })
    await world.held(2)
    expect(await one.ask({ tool: 'deploy', args: LARGE })).toMatchObject({
      ...refused,
      message: expect.stringContaining('of this session'),
    })
    void one.ask({ id: 'small', tool: 'deploy', args: {} })
    void other.ask({ id: 'c', tool: 'deploy', args: LARGE })
    await world.held(4)
    expect(await other.ask({ tool: 'deploy', args: LARGE })).toMatchObject(refused)
  })
})

describe('a stream whose sign-in ends', () => {
  it.each(['by its own browser', 'by the terminal'])('ends at once %s (A18)', async (by) => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    await stream.next('now')
    if (by === 'by its own browser') await world.fetch('/sign-in', { method: 'DELETE' })
    else await controlService(world.home, { do: 'sign-out' })
    await expect(stream.next('now')).rejects.toThrow('the stream ended')
  })

  it('ends when it is too old', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    openOwnFolder(home.run, 'CS_HOME')
    const signIn = openSignIn(home, Date.now, 20)
    const { session } = signIn.enter(signIn.ticket().ticket)
    const { stream, listeners } = streamOf({ whenSignedOut: (ended) => signIn.watch(session.id, ended) })
    for await (const chunk of stream) expect(String(chunk)).toContain('event: ')
    expect(listeners.size).toBe(0)
  })
})

/** A stream over a feed that the test controls. */
function streamOf(parts: Partial<StreamParts> = {}, list: HeldBoard['list'] = async () => []) {
  const listeners = new Set<(event: FeedEvent) => void>()
  const feed: Feed = {
    async subscribe(listener) {
      listeners.add(listener)
      return { from: 1, stop: () => void listeners.delete(listener) }
    },
    since: async () => undefined,
    wake() {},
    heed() {},
    listeners: 0,
    close() {},
  }
  const board = { list } as unknown as HeldBoard
  const stream = new PassThrough()
  const signedIn = { isStillSignedIn: () => true, whenSignedOut: () => () => {} }
  void openStream({ feed, board, now: () => 1, ...signedIn, session: undefined, last: undefined, ...parts }, stream)
  return { stream, listeners }
}

describe('a stream whose store is unreadable', () => {
  it('ends, and releases everything', async () => {
    const { stream, listeners } = streamOf({}, () => Promise.reject(new Error('broken')))
    for await (const chunk of stream) expect(chunk).toBeUndefined()
    expect(listeners.size).toBe(0)
  })
})

describe('a stream with a slow reader', () => {
  it('is cut when 8 MiB are queued (A31, L10)', async () => {
    const { stream, listeners } = streamOf()
    await expect.poll(() => listeners.size).toBe(1)
    const json = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    for (let seq = 2; seq < 20; seq += 1)
      for (const tell of listeners) tell({ seq, event: 'held', session: null, json })
    expect(listeners.size).toBe(0)
    expect(stream.destroyed).toBe(true)
  })

  it('gets a snapshot of any size at its own speed, and then the events since', async () => {
    const lines = Array.from({ length: 12 }, (_, n) => ({ session: null, json: `"${n} ${'x'.repeat(1024 * 1024)}"` }))
    const { stream, listeners } = streamOf({}, async () => lines)
    await expect.poll(() => stream.writableNeedDrain).toBe(true)
    expect(stream.writableLength).toBeLessThan(8 * 1024 * 1024)
    for (const tell of listeners) tell({ seq: 2, event: 'held', session: null, json: '"meanwhile"' })
    let text = ''
    for await (const chunk of stream) {
      text += String(chunk)
      if (text.includes('event: now')) break
    }
    const [snapshot, held] = text.split('\n\n')
    expect((JSON.parse(snapshot?.split('data: ')[1] ?? '') as { held: readonly string[] }).held).toHaveLength(12)
    expect(held).toContain('"meanwhile"')
  })

  it('is cut if too much happens before it has read its snapshot (L10)', async () => {
    const { stream, listeners } = streamOf({}, async () => [{ session: null, json: `"${'x'.repeat(1024 * 1024)}"` }])
    await expect.poll(() => stream.writableNeedDrain).toBe(true)
    const json = `"${'x'.repeat(1024 * 1024)}"`
    for (let seq = 2; seq < 20; seq += 1)
      for (const tell of listeners) tell({ seq, event: 'held', session: null, json })
    expect(listeners.size).toBe(0)
    expect(stream.destroyed).toBe(true)
  })
})
