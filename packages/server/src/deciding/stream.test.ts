import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openServiceWorld, type ServiceWorld } from '../../../../test/support/service.ts'
import type { Feed, FeedEvent } from './feed.ts'
import type { HeldBoard } from './held-board.ts'
import { openStream } from './stream.ts'

interface Told {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** Reads the live stream one event after the other. */
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
  it('begins with a snapshot, then tells what is held and how it ended', async () => {
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

  it('tells of what another process holds and decides', async () => {
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

  it('goes on where the reader was, without a snapshot; from too far back, with one', async () => {
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
    for (const last of ['999999', 'nonsense', '-1'])
      expect((await (await listen(world, '/stream', { 'last-event-id': last })).next('held', 'snapshot')).event).toBe(
        'snapshot',
      )
  })

  it('tells a reader of one session nothing of another (A10)', async () => {
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

  it('is not opened without a sign-in (A18)', async () => {
    const world = await openServiceWorld()
    for (const cookie of ['', `countersign-${world.port}=made-up`])
      expect((await listen(world, '/stream', { cookie })).status).toBe(401)
    expect((await world.fetch(`/stream?token=${world.cookie}`, { headers: { cookie: '' } })).status).toBe(401)
  })

  it('is let go of when its reader goes away', async () => {
    const world = await openServiceWorld()
    const stream = await listen(world)
    await stream.next('snapshot')
    expect((await world.service.status()).streams).toBe(1)
    stream.stop()
    await expect.poll(async () => (await world.service.status()).streams).toBe(0)
  })

  it('leaves the others alone when one does not read (A31)', async () => {
    const world = await openServiceWorld()
    const idle = connect(world.port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    idle.pause()
    idle.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost:${world.port}\r\nCookie: ${world.cookie}\r\n\r\n`)
    const stream = await listen(world)
    await stream.next('snapshot')
    const gate = await world.connect()
    void gate.ask({ id: 'seen', tool: 'deploy', args: { text: 'x'.repeat(100_000) } })
    expect((await stream.next('held')).data).toMatchObject({ id: 'seen' })
  })
})

/** A stream over a feed that the test holds in its hand. */
function streamOf(isStillSignedIn: () => boolean, list: HeldBoard['list'] = async () => []) {
  const listeners = new Set<(event: FeedEvent) => void>()
  const feed: Feed = {
    async subscribe(listener) {
      listeners.add(listener)
      return { from: 1, stop: () => void listeners.delete(listener) }
    },
    since: async () => undefined,
    wake() {},
    listeners: 0,
    close() {},
  }
  const board = { list } as unknown as HeldBoard
  const stream = openStream({ feed, board, now: () => 1, isStillSignedIn, session: undefined, last: undefined })
  return { stream, listeners }
}

describe('a stream whose store cannot be read', () => {
  it('ends, and leaves nothing behind', async () => {
    const { stream, listeners } = streamOf(
      () => true,
      () => Promise.reject(new Error('broken')),
    )
    for await (const chunk of stream) expect(chunk).toBeUndefined()
    expect(listeners.size).toBe(0)
  })
})

describe('a stream whose reader is slow', () => {
  it('is ended once 8 MiB wait for it (A31, L10)', async () => {
    const { stream, listeners } = streamOf(() => true)
    await expect.poll(() => listeners.size).toBe(1)
    const data = { text: 'x'.repeat(1024 * 1024) }
    for (let seq = 2; seq < 20; seq += 1)
      for (const tell of listeners) tell({ seq, event: 'held', session: null, data })
    expect(listeners.size).toBe(0)
    let bytes = 0
    for await (const chunk of stream) bytes += chunk.length
    expect(bytes).toBeLessThan(10 * 1024 * 1024)
  })
})
