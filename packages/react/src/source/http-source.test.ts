import type { HeldCallView } from '@countersign/core'
import { SILENT_MS } from '@countersign/core'
import { Stream } from '@countersign/testing/browser/stub-stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type HttpSource, httpSource } from './http-source.ts'
import { OPENING_MS } from './stream-watchdog.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const frame = new EventTarget()
const last = (): Stream => {
  const stream = Stream.opened.at(-1)
  if (stream === undefined) throw new Error('no stream is open')
  return stream
}

let source: HttpSource
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  Stream.opened = []
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', {}) // without Web Locks, each tab has its own stream
  vi.stubGlobal('addEventListener', frame.addEventListener.bind(frame))
  vi.stubGlobal('removeEventListener', frame.removeEventListener.bind(frame))
  source = httpSource({ key: async () => null })
  stop = source.subscribe(() => {})
  last().say('snapshot', { held: [], now: Date.now() })
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a stream that falls silent', () => {
  it('stays live while heartbeats arrive', () => {
    for (let beat = 0; beat < 10; beat += 1) {
      vi.advanceTimersByTime(3_000)
      last().say('now', { now: Date.now() })
    }
    expect([source.current().link, Stream.opened.length]).toEqual(['live', 1])
  })

  it('is reopened, and live again after the first event', () => {
    const dead = last()
    vi.advanceTimersByTime(SILENT_MS)
    expect([source.current().link, dead.readyState, Stream.opened.length]).toEqual(['reconnecting', 2, 2])
    last().say('snapshot', { held: [], now: Date.now() })
    expect(source.current().link).toBe('live')
    vi.advanceTimersByTime(SILENT_MS)
    expect([source.current().link, Stream.opened.length]).toEqual(['reconnecting', 3])
  })

  it('counts as live for less than ten seconds without an event', () => {
    expect(SILENT_MS).toBeLessThan(10_000)
  })

  it('resumes after the last event', () => {
    last().say('notice', { callId: 'a' }, '41')
    vi.advanceTimersByTime(SILENT_MS)
    expect(last().url).toBe('/api/v1/stream?last=41')
  })

  it('can take longer for its first event, and is not live until then', () => {
    vi.advanceTimersByTime(SILENT_MS)
    vi.advanceTimersByTime(OPENING_MS - 1)
    expect([source.current().link, Stream.opened.length]).toEqual(['offline', 2])
    vi.advanceTimersByTime(1)
    expect(Stream.opened.length).toBe(3)
  })

  it('is not reopened when the page itself was busy', () => {
    const heard = Date.now()
    vi.setSystemTime(heard + 5_000) // timers fire this late
    vi.advanceTimersByTime(SILENT_MS)
    last().say('now', { now: Date.now() })
    expect([source.current().link, Stream.opened.length]).toEqual(['live', 1])
  })

  it.each([
    ['the page becomes visible', page, 'visibilitychange'],
    ['the page is restored', frame, 'pageshow'],
  ] as const)('is reopened after sleep when %s', (_, target, event) => {
    vi.setSystemTime(Date.now() + 3_600_000) // the timers slept too
    target.dispatchEvent(new Event(event))
    expect([source.current().link, Stream.opened.length]).toEqual(['reconnecting', 2])
  })

  it('is kept after the page was hidden for a short time', () => {
    vi.setSystemTime(Date.now() + 5_000)
    page.dispatchEvent(new Event('visibilitychange'))
    expect([source.current().link, Stream.opened.length]).toEqual(['live', 1])
  })

  it('is not watched without subscribers', () => {
    stop()
    vi.advanceTimersByTime(SILENT_MS * 2)
    expect(Stream.opened.length).toBe(1)
  })
})

describe('a decision on a page that is not live', () => {
  it('is neither signed nor sent', async () => {
    const sent = vi.fn()
    vi.stubGlobal('fetch', sent)
    vi.advanceTimersByTime(SILENT_MS)
    const view = { id: 'a' } as HeldCallView
    await expect(source.decide(view, { kind: 'approve' })).rejects.toThrow(
      'nothing was decided because this page is not live',
    )
    expect(sent).not.toHaveBeenCalled()
  })
})
