import { NOW_MS, SILENT_MS } from '@countersign/core'
import { Stream } from '@countersign/testing/browser/stub-stream'
import { Channel, makeLocks } from '@countersign/testing/browser/stub-tabs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Approvals, NO_APPROVALS } from './approval-source.ts'
import { reduceApprovals } from './approvals-reducer.ts'
import { type LiveStream, liveStream } from './live-stream.ts'
import { UNANSWERED_MS } from './tab-leader-election.ts'

interface Tab {
  readonly stream: LiveStream
  readonly channel: Channel
  readonly state: Approvals
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
const last = (): Stream => Stream.opened.at(-1) ?? expect.fail('no stream is open')
const call = (id: string) => ({ id, requestDigest: `digest of ${id}`, expiresAt: 1, risk: { level: 'low' } })
const ids = ({ state }: Tab): readonly string[] => state.held.map(({ id }) => id)
const live = (tabs: readonly Tab[]): readonly string[] => tabs.map(({ state }) => state.link)

let tabs: Tab[] = []

async function openTab(): Promise<Tab> {
  let state = NO_APPROVALS
  const stream = liveStream({
    current: () => state,
    apply(next) {
      state = reduceApprovals(state, next)
    },
  })
  stream.open()
  const channel = Channel.all.at(-1) ?? expect.fail('no channel is open')
  const tab: Tab = {
    stream,
    channel,
    get state() {
      return state
    },
  }
  tabs.push(tab)
  await settled()
  return tab
}

beforeEach(() => {
  vi.useFakeTimers()
  Stream.opened = []
  Channel.all = []
  tabs = []
  const frame = new EventTarget()
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('navigator', { locks: makeLocks() })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', frame.addEventListener.bind(frame))
  vi.stubGlobal('removeEventListener', frame.removeEventListener.bind(frame))
})
afterEach(() => {
  for (const { stream } of tabs) stream.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Three live tabs that show one call. */
async function openThree(): Promise<readonly [Tab, Tab, Tab]> {
  const first = await openTab()
  last().say('snapshot', { held: [call('a')], now: Date.now() }, '7')
  return [first, await openTab(), await openTab()]
}

describe('the stream of several tabs', () => {
  it('is shared, and all tabs receive its events', async () => {
    const three = await openThree()
    expect([live(three), three.map(ids)]).toEqual([
      ['live', 'live', 'live'],
      [['a'], ['a'], ['a']],
    ])
    last().say('held', call('b'), '8')
    last().say('closed', { held: 'a', accepted: true, state: 'approved', by: 'Ana', at: 1, message: '' }, '9')
    await settled()
    expect(three.map(ids)).toEqual([['b'], ['b'], ['b']])
    expect(three.map(({ state }) => state.closed[0]?.receipt.by)).toEqual(['Ana', 'Ana', 'Ana'])
    expect(Stream.opened.length).toBe(1)
  })

  it('becomes live in a tab only once its leader is live', async () => {
    const [first, other] = [await openTab(), await openTab()]
    expect(live([first, other])).toEqual(['connecting', 'connecting'])
    last().say('snapshot', { held: [call('a')], now: Date.now() }, '7')
    last().say('now', { now: Date.now() })
    await settled()
    expect([live([first, other]), ids(other), Stream.opened.length]).toEqual([['live', 'live'], ['a'], 1])
  })

  it('resumes in the next tab when the leader is closed', async () => {
    const [first, second, third] = await openThree()
    first.stream.close()
    await settled()
    expect([last().url, second.state.link]).toEqual(['/api/v1/stream?last=7', 'reconnecting'])
    last().say('closed', { held: 'a', accepted: true, state: 'approved', by: 'Ana', at: 1, message: '' }, '8')
    last().say('now', { now: Date.now() })
    await settled()
    // The third tab only receives the current state, which still names who decided.
    expect([live([second, third]), third.state.closed[0]?.receipt.by]).toEqual([['live', 'live'], 'Ana'])
    last().say('held', call('b'), '9')
    await settled()
    expect([ids(second), ids(third), Stream.opened.length]).toEqual([['b'], ['b'], 2])
  })

  it('is not live in any tab when the service falls silent, and one tab reconnects', async () => {
    const three = await openThree()
    await vi.advanceTimersByTimeAsync(SILENT_MS)
    expect([live(three), Stream.opened.length]).toEqual([['reconnecting', 'reconnecting', 'reconnecting'], 2])
    await vi.advanceTimersByTimeAsync(SILENT_MS)
    expect([live(three), Stream.opened.length]).toEqual([['offline', 'offline', 'offline'], 2])
    last().say('now', { now: Date.now() })
    await settled()
    expect(live(three)).toEqual(['live', 'live', 'live'])
  })

  it('is taken over from a stuck tab, which follows later', async () => {
    const [first] = await openThree()
    first.channel.isStuck = true
    const stuck = last()
    const beat = setInterval(() => stuck.say('now', { now: Date.now() }), NOW_MS)
    await vi.advanceTimersByTimeAsync(SILENT_MS)
    expect(live(tabs)).toEqual(['live', 'reconnecting', 'reconnecting'])
    await vi.advanceTimersByTimeAsync(UNANSWERED_MS)
    clearInterval(beat)
    const open = Stream.opened.filter(({ readyState }) => readyState === 1)
    expect([open.length, stuck.readyState, first.state.link]).toEqual([1, 2, 'reconnecting'])
    first.channel.isStuck = false
    open[0]?.say('snapshot', { held: [call('a'), call('b')], now: Date.now() }, '9')
    open[0]?.say('now', { now: Date.now() })
    await settled()
    expect([live(tabs), tabs.map(ids)]).toEqual([['live', 'live', 'live'], tabs.map(() => ['a', 'b'])])
  })

  it('is closed by frozen tabs and reopened by one of them on resume', async () => {
    const three = await openThree()
    document.dispatchEvent(new Event('freeze'))
    await settled()
    expect(live(three)).toEqual(['reconnecting', 'reconnecting', 'reconnecting'])
    expect(Stream.opened.map(({ readyState }) => readyState)).toEqual([2])
    document.dispatchEvent(new Event('resume'))
    await settled()
    expect(Stream.opened.map(({ readyState }) => readyState)).toEqual([2, 1])
    last().say('now', { now: Date.now() })
    await settled()
    expect(live(three)).toEqual(['live', 'live', 'live'])
  })

  it('is reopened for a tab whose decision was lost', async () => {
    const [, second] = await openThree()
    second.stream.renew()
    last().say('now', { now: Date.now() }) // sent before the request arrived
    await settled()
    expect([second.state.link, last().url]).toEqual(['reconnecting', '/api/v1/stream?last=7'])
    last().say('now', { now: Date.now() })
    await settled()
    expect(live(tabs)).toEqual(['live', 'live', 'live'])
  })

  it('is released on sign-out and taken by the next signed-in tab', async () => {
    const three = await openThree()
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }))
    last().close()
    last().onerror()
    await settled()
    expect(live(three)).toEqual(['signed-out', 'signed-out', 'signed-out'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([live(three), Stream.opened.length]).toEqual([['signed-out', 'signed-out', 'signed-out'], 1])
    const fresh = await openTab()
    last().say('snapshot', { held: [], now: Date.now() }, '8')
    last().say('now', { now: Date.now() })
    await settled()
    expect([fresh.state.link, Stream.opened.length]).toEqual(['live', 2])
    expect(live(three)).toEqual(['live', 'live', 'live'])
  })
})
