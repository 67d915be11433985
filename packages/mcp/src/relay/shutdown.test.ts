import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBareRelay } from './bare-relay.fixture.ts'

const ping = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`
const tick = { method: 'notifications/message', params: { data: 'tick' } }

describe('a relay whose client closed its input', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ends the server after two seconds, however much it sends', async () => {
    const bare = openBareRelay()
    bare.input.end()
    await vi.advanceTimersByTimeAsync(0)
    for (let half = 0; half < 3; half += 1) {
      expect(bare.asked).not.toContain('stop')
      bare.says(tick)
      await vi.advanceTimersByTimeAsync(500)
    }
    bare.says(tick)
    await vi.advanceTimersByTimeAsync(500)
    expect(bare.asked).toContain('stop')
  })

  it('waits ten seconds for running calls, however much the server sends, and two after they are answered', async () => {
    for (const [answered, seconds] of [
      [false, 10],
      [true, 3],
    ] as const) {
      const bare = openBareRelay()
      bare.input.end(ping(1))
      await vi.advanceTimersByTimeAsync(0)
      for (let second = 0; second < seconds; second += 1) {
        expect(bare.asked).not.toContain('stop')
        bare.says(answered && second === 1 ? { id: 1, result: {} } : tick)
        await vi.advanceTimersByTimeAsync(1000)
      }
      expect(bare.asked).toContain('stop')
    }
  })
})

describe('a relay whose server ends as soon as its input is closed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ends at once', async () => {
    const bare = openBareRelay({ endsAtOnce: true })
    bare.input.end()
    await vi.advanceTimersByTimeAsync(10)
    expect(await bare.relay.done).toMatchObject({ by: 'client' })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a relay whose client does not read', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const gone = { exitCode: 0, why: 'the server ended with code 0' }

  it('ends some time after the server', async () => {
    const bare = openBareRelay({ reads: false })
    bare.says(tick)
    bare.server.ended(gone)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await bare.relay.done).toMatchObject({ by: 'server' })
  })

  it('ends at once when told to, before and after the server ended', async () => {
    for (const isBefore of [true, false]) {
      const bare = openBareRelay({ reads: false })
      bare.says(tick)
      if (isBefore) bare.relay.stop()
      bare.server.ended(gone)
      await vi.advanceTimersByTimeAsync(50)
      if (!isBefore) bare.relay.stop()
      await vi.advanceTimersByTimeAsync(100)
      expect(await bare.relay.done).toMatchObject(gone)
    }
  })
})
