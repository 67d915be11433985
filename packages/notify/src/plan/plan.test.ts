import { describe, expect, it } from 'vitest'
import type { NotifiedCall } from '../notification/notification.ts'
import type { Message } from '../outbox/message.ts'
import { type Settings, settingsSchema } from '../settings/settings.ts'
import { type Plan, type PlanInput, planChannel } from './plan.ts'

const S = 1_000
const M = 60_000
/** A day in UTC: 12:00. */
const NOON = Date.UTC(2026, 0, 5, 12)

const call = (id: string, more: Partial<NotifiedCall> = {}): NotifiedCall => ({
  id,
  risk: 'high',
  tool: 'deploy',
  agent: 'coder',
  openedAt: NOON,
  deadline: NOON + 5 * M,
  summary: 'deploy to prod',
  ...more,
})

const settings = (more: object = {}): Settings => settingsSchema.parse({ version: 1, ...more })

/** One channel over time: what it is told, with every message arriving at once. */
function watcher(chosen: Settings, channel: PlanInput['channel'] = { name: 'phone', from: null, takesBack: true }) {
  let open: readonly Message[] = []
  let count = 0
  const newId = (): string => {
    count += 1
    return `m${count}`
  }
  return {
    at(now: number, held: readonly NotifiedCall[], arrives = true): Plan {
      const outcomeOf = () => 'approved'
      const plan = planChannel({ now, settings: chosen, channel, held, open, outcomeOf, newId })
      const sent = plan.add.map((one): Message => (arrives ? { ...one, state: 'sent', attempts: 1 } : one))
      const dropped = new Set(plan.drop.map(({ id }) => id))
      open = [...open, ...sent]
        .filter(({ id }) => !plan.settle.includes(id))
        .map((one) => (dropped.has(one.id) ? { ...one, state: 'dropped' } : one))
      return plan
    },
    get open() {
      return open
    },
  }
}

const kinds = ({ add }: Plan): readonly string[] =>
  add.map(({ notification }) => `${notification.kind} ${notification.count}`)

describe('what a channel is told', () => {
  it('is one message for the calls that come within the merge time', () => {
    const phone = watcher(settings())
    const held = [call('a'), call('b', { openedAt: NOON + 2 * S })]
    expect(kinds(phone.at(NOON, held.slice(0, 1)))).toEqual([])
    expect(phone.at(NOON + 3 * S, held).wakeAt).toBe(NOON + 5 * S)
    expect(kinds(phone.at(NOON + 5 * S, held))).toEqual(['held 2'])
    expect(kinds(phone.at(NOON + 6 * S, held))).toEqual([])
    const later = [...held, call('c', { openedAt: NOON + 20 * S })]
    expect(kinds(phone.at(NOON + 25 * S, later))).toEqual(['held 1'])
  })

  it('does not wait with a call that expires soon', () => {
    const phone = watcher(settings({ merge: '1m', reminder: 'off' }))
    expect(kinds(phone.at(NOON + 1 * S, [call('a', { deadline: NOON + 50 * S })]))).toEqual(['held 1'])
  })

  it('lists the riskiest calls first, and counts the rest', () => {
    const many = Array.from({ length: 40 }, (_, at) => call(`c${at}`, { risk: at === 30 ? 'critical' : 'low' }))
    const [message] = watcher(settings()).at(NOON + 5 * S, many).add
    expect(message?.notification.count).toBe(40)
    expect(message?.notification.calls).toHaveLength(25)
    expect(message?.notification.calls[0]?.id).toBe('c30')
    expect(message?.calls).toHaveLength(40)
  })

  it('has no summary unless the settings allow it', () => {
    const [told] = watcher(settings()).at(NOON + 5 * S, [call('a')]).add
    expect(told?.notification.calls[0]?.summary).toBeNull()
    const [more] = watcher(settings({ details: 'summary' })).at(NOON + 5 * S, [call('a')]).add
    expect(more?.notification.calls[0]?.summary).toBe('deploy to prod')
  })

  it('begins at the risk of the settings, or at its own', () => {
    const held = [call('a', { risk: 'medium' })]
    expect(kinds(watcher(settings({ from: 'high' })).at(NOON + 5 * S, held))).toEqual([])
    const own = { name: 'ops', from: 'low', takesBack: true } as const
    expect(kinds(watcher(settings({ from: 'high' }), own).at(NOON + 5 * S, held))).toEqual(['held 1'])
  })

  it('is reminded once before the deadline, under the same tag', () => {
    const phone = watcher(settings())
    const held = [call('a')]
    const [first] = phone.at(NOON + 5 * S, held).add
    expect(phone.at(NOON + 10 * S, held).wakeAt).toBe(NOON + 4 * M)
    const plan = phone.at(NOON + 4 * M, held)
    expect(kinds(plan)).toEqual(['reminder 1'])
    expect(plan.add[0]?.notification.tag).toBe(first?.notification.tag)
    expect(kinds(phone.at(NOON + 4.5 * M, held))).toEqual([])
  })

  it('is not reminded of calls that never waited long, nor if reminders are off', () => {
    const short = [call('a', { deadline: NOON + 90 * S })]
    const phone = watcher(settings())
    phone.at(NOON + 5 * S, short)
    expect(kinds(phone.at(NOON + 80 * S, short))).toEqual([])
    const off = watcher(settings({ reminder: 'off' }))
    off.at(NOON + 5 * S, [call('a')])
    expect(kinds(off.at(NOON + 4.5 * M, [call('a')]))).toEqual([])
  })

  it('is taken back once all its calls are over, with the outcome of a single one', () => {
    const phone = watcher(settings())
    const held = [call('a'), call('b')]
    const [first] = phone.at(NOON + 5 * S, held).add
    expect(kinds(phone.at(NOON + 10 * S, held.slice(0, 1)))).toEqual([])
    const plan = phone.at(NOON + 20 * S, [])
    expect(kinds(plan)).toEqual(['closed 2'])
    expect(plan.add[0]?.notification.tag).toBe(first?.notification.tag)
    expect(kinds(phone.at(NOON + 21 * S, []))).toEqual([])
    expect(phone.open).toEqual([])

    const other = watcher(settings())
    other.at(NOON + 5 * S, [call('c')])
    expect(other.at(NOON + 6 * S, []).add[0]?.notification.outcome).toBe('approved')
  })

  it('is dropped if the calls are over before it was sent', () => {
    const phone = watcher(settings())
    phone.at(NOON + 5 * S, [call('a')], false)
    const plan = phone.at(NOON + 6 * S, [])
    expect(kinds(plan)).toEqual([])
    expect(plan.drop).toHaveLength(1)
    expect(plan.settle).toHaveLength(1)
  })

  it('is not taken back where a channel cannot', () => {
    const desktop = watcher(settings(), { name: 'desktop', from: null, takesBack: false })
    desktop.at(NOON + 5 * S, [call('a')])
    const plan = desktop.at(NOON + 6 * S, [])
    expect(plan.add).toEqual([])
    expect(plan.settle).toHaveLength(1)
  })
})

describe('quiet hours', () => {
  const quiet = { hours: '22:00-07:00', zone: 'UTC' }
  const night = Date.UTC(2026, 0, 5, 23, 30, 20)
  const morning = Date.UTC(2026, 0, 6, 7)
  const long = { openedAt: night, deadline: night + 24 * 60 * M }

  it('hold back all but critical calls, and tell the rest when they end', () => {
    const phone = watcher(settings({ quiet }))
    const held = [call('a', long), call('b', { ...long, risk: 'critical' })]
    const plan = phone.at(night + 5 * S, held)
    expect(kinds(plan)).toEqual(['held 1'])
    expect(plan.add[0]?.calls).toEqual(['b'])
    expect(plan.wakeAt).toBe(morning)
    expect(kinds(phone.at(morning - S, held))).toEqual([])
    const told = phone.at(morning, held)
    expect(told.add[0]?.calls).toEqual(['a'])
  })

  it('that end after the time of the reminder are followed by one message, not two', () => {
    const held = [call('a', { openedAt: night, deadline: morning + 30 * S })]
    const phone = watcher(settings({ quiet }))
    expect(kinds(phone.at(morning - S, held))).toEqual([])
    expect(kinds(phone.at(morning, held))).toEqual(['held 1'])
    expect(kinds(phone.at(morning + S, held))).toEqual([])
  })

  it('let the last reminder through if the settings say so', () => {
    const deadline = night + 10 * M
    const held = [call('a', { openedAt: night, deadline })]
    for (const [except, expected] of [
      [['critical'], []],
      [['reminder'], ['reminder 1']],
      [[], []],
    ] as const) {
      const phone = watcher(settings({ quiet: { ...quiet, except } }))
      expect(kinds(phone.at(night + 5 * S, held))).toEqual([])
      expect(kinds(phone.at(deadline - 30 * S, held))).toEqual(expected)
    }
  })

  it.each([
    ['22:00-07:00', Date.UTC(2026, 0, 5, 21, 59, 59), null],
    ['22:00-07:00', Date.UTC(2026, 0, 5, 22), Date.UTC(2026, 0, 6, 7)],
    ['22:00-07:00', Date.UTC(2026, 0, 6, 6, 59), Date.UTC(2026, 0, 6, 7)],
    ['12:00-13:00', Date.UTC(2026, 0, 6, 12, 30, 30), Date.UTC(2026, 0, 6, 13)],
    ['12:00-13:00', Date.UTC(2026, 0, 6, 13), null],
  ])('of %s are on or off at each minute', (hours, now, until) => {
    const phone = watcher(settings({ quiet: { hours, zone: 'UTC', except: [] } }))
    const held = [call('a', { openedAt: now - 10 * S, deadline: now + 48 * 60 * M })]
    const plan = phone.at(now, held)
    expect(kinds(plan)).toEqual(until === null ? ['held 1'] : [])
    if (until !== null) expect(plan.wakeAt).toBe(until)
  })

  it('of the whole day keep all but critical calls quiet', () => {
    const phone = watcher(settings({ quiet: { hours: '00:00-24:00', zone: 'UTC' } }))
    expect(kinds(phone.at(NOON + 5 * S, [call('a'), call('b', { risk: 'critical' })]))).toEqual(['held 1'])
  })

  // 2026-03-29 has no 02:00 to 03:00 in Vienna, and 2026-10-25 has it twice.
  it.each([
    ['22:00-07:00', '2026-03-28T22:00+01:00', '2026-03-29T07:00+02:00'],
    ['22:00-07:00', '2026-10-24T22:00+02:00', '2026-10-25T07:00+01:00'],
    ['22:00-02:30', '2026-03-28T22:00+01:00', '2026-03-29T03:00+02:00'],
    ['00:00-23:59', '2026-03-29T12:00+02:00', '2026-03-29T23:59+02:00'],
    ['22:00-24:00', '2026-10-24T23:00+02:00', '2026-10-25T00:00+02:00'],
  ])('of %s end on time in the night when clocks change: from %s to %s', (hours, from, until) => {
    const now = Date.parse(from)
    const phone = watcher(settings({ quiet: { hours, zone: 'Europe/Vienna', except: [] }, reminder: 'off' }))
    const held = [call('a', { openedAt: now - 10 * S, deadline: now + 48 * 60 * M })]
    expect(phone.at(now, held).wakeAt).toBe(Date.parse(until))
  })
})
