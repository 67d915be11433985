import type { ClockDifference } from '@countersign/core'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { describe, expect, it } from 'vitest'
import { close, freshSchema, open, openedAt } from '../store-fixture.mts'
import { ServerClock } from './server-clock.ts'

/** The machine's clocks, of which somebody sets one. */
function machineClock(offset = 0) {
  let wall = offset
  return {
    now: () => Date.now() + wall,
    monotonic: () => performance.now(),
    set(ms: number) {
      wall += ms
    },
  }
}

/** A clock whose server is `ahead`, answers after `trip` milliseconds, and passes time by itself. */
function apart(ahead: number, trips: readonly number[] = [4]) {
  let passed = 0
  let [server, wall] = [ahead, 0]
  let asked = 0
  const machine = { now: () => 1_000_000 + passed + wall, monotonic: () => passed }
  const clock = new ServerClock(machine, async () => {
    const trip = trips[asked % trips.length] ?? 0
    asked += 1
    passed += trip / 2
    const ms = 1_000_000 + passed + server
    passed += trip / 2
    return [{ command: 'SELECT', rowCount: 1, rows: [{ ms }] }]
  })
  const heard: ClockDifference[] = []
  clock.onChange((difference) => heard.push(difference))
  return {
    clock,
    heard,
    pass(ms: number) {
      passed += ms
    },
    setMachine(ms: number) {
      wall += ms
    },
    setServer(ms: number) {
      server += ms
    },
    serverNow: () => 1_000_000 + passed + server,
    asked: () => asked,
  }
}

describe('the clock of a server', () => {
  it('is measured with its round trip, and carried on by the monotonic clock', async () => {
    const { clock, pass, serverNow, heard } = apart(1500, [40])
    await clock.measure()
    expect(clock.difference()).toEqual({ kind: 'close', offsetMs: 1500, roundTripMs: 40, jumpedMs: 0 })
    pass(12_345)
    expect(clock.now()).toBe(serverNow())
    expect(heard).toEqual([])
  })

  it('believes the fastest of some slow answers', async () => {
    const { clock, asked } = apart(0, [3000, 400, 900])
    await clock.measure()
    expect([asked(), clock.difference().roundTripMs]).toEqual([3, 400])
  })

  it.each([
    [1900, 'close'],
    [-1900, 'close'],
    [2100, 'differs'],
    [-59_000, 'differs'],
    [61_000, 'too-far'],
    [-3_600_000, 'too-far'],
  ])('%i ms ahead is %s', async (ahead, kind) => {
    const { clock, heard } = apart(ahead)
    await clock.measure()
    expect(clock.difference().kind).toBe(kind)
    expect(heard.length).toBe(kind === 'close' ? 0 : 1)
    const checked = clock.check().then(
      () => 'checked',
      ({ code, message }) => `${code} ${message}`,
    )
    if (kind === 'too-far') expect(await checked).toMatch(/^CS_CLOCK .*(behind|ahead of) the database/)
    else expect(await checked).toBe('checked')
  })

  it('counts a doubtful difference for the machine: a slow answer proves little', async () => {
    const { clock } = apart(2500, [2000])
    await clock.measure()
    expect(clock.difference().kind).toBe('close')
  })

  it('notices that the machine’s clock was set, and measures before anything is decided', async () => {
    const { clock, heard, setMachine, serverNow, asked } = apart(0)
    await clock.measure()
    setMachine(-30_000)
    const expected = serverNow()
    expect(clock.now()).toBe(expected)
    await clock.check()
    expect(asked()).toBe(2)
    expect(heard).toEqual([{ kind: 'differs', offsetMs: 30_000, roundTripMs: 4, jumpedMs: -30_000 }])
    expect(clock.now()).toBe(serverNow())
  })

  it('takes the later time until it has measured after a jump', async () => {
    const { clock, setMachine, serverNow } = apart(0)
    await clock.measure()
    setMachine(600_000)
    expect(clock.now()).toBe(serverNow() + 600_000)
    await clock.check().catch(() => {})
    expect(clock.now()).toBe(serverNow())
  })

  it('notices that the server’s clock was set, or that another server answers', async () => {
    const { clock, heard, pass, setServer } = apart(0)
    await clock.measure()
    pass(15_000)
    setServer(5000)
    await clock.measure()
    expect(heard).toEqual([{ kind: 'differs', offsetMs: 5000, roundTripMs: 4, jumpedMs: 5000 }])
    await clock.measure()
    expect(heard.length).toBe(1)
    setServer(-5000)
    await clock.measure()
    expect(heard.at(-1)).toMatchObject({ kind: 'close', jumpedMs: -5000 })
  })
})

describe.skipIf(missingPostgres())('a gate with a wrong clock', () => {
  const server = usePostgres()

  it('goes by the server’s clock, and holds and decides nothing if it is off by more than a minute', async () => {
    const { address, crypto } = await freshSchema(server)
    const clock = machineClock(-30_000)
    const store = await openedAt(address, { crypto, clock })
    expect(store.clock.difference().kind).toBe('differs')
    expect(Math.abs(store.clock.now() - Date.now())).toBeLessThan(10_000)
    expect((await store.commit(open('a'))).kind).toBe('committed')
    clock.set(-600_000)
    await expect(store.commit(open('b'))).rejects.toMatchObject({ code: 'CS_CLOCK' })
    expect(store.clock.difference().jumpedMs).toBeLessThan(-590_000)
    // What ends a call needs no clock.
    expect((await store.commit(close('a', 'withdrawn'))).kind).toBe('committed')
    clock.set(630_000)
    expect((await store.commit(open('b'))).kind).toBe('committed')
    expect(store.clock.difference().kind).toBe('close')
  })

  it('measures again with each renewal of its lease', async () => {
    const { address, crypto } = await freshSchema(server)
    const clock = machineClock()
    const store = await openedAt(address, { crypto, clock })
    const lease = await store.lease({ id: 'm', name: 'm' })
    clock.set(5000)
    await lease.renew()
    expect(store.clock.difference()).toMatchObject({ kind: 'differs' })
    expect(store.clock.difference().jumpedMs).toBeGreaterThan(4000)
  })
})
