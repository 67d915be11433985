import type { HoursTest } from '../model/rule.ts'
import { type HoursRange, parseHours } from '../schema/hours-range.ts'
import type { Test } from './call-unit.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

/** Compiles a test on the wall-clock time in a zone (default UTC). A range may cross midnight. */
export function compileHours(test: HoursTest): Test {
  const inside = test.inside === undefined ? undefined : parseHours(test.inside)
  const outside = test.outside === undefined ? undefined : parseHours(test.outside)
  const days = test.days?.map((day) => day.slice(0, 3).toLowerCase())
  let read: ((now: number) => Moment) | 'broken' | null = null
  return (_unit, about) => {
    read ??= zoneReader(test.zone ?? 'UTC')
    if (read === 'broken' || inside === null || outside === null) return UNKNOWN
    const moment = read(about.circumstances.now)
    if (inside && !isWithin(inside, moment.minute)) return NO
    if (outside && isWithin(outside, moment.minute)) return NO
    return days && !days.includes(moment.day) ? NO : YES
  }
}

interface Moment {
  readonly day: string
  /** Minutes since midnight. */
  readonly minute: number
}

function isWithin(range: HoursRange, minute: number): boolean {
  const { from, to } = range
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

function zoneReader(timeZone: string): ((now: number) => Moment) | 'broken' {
  try {
    const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    const format = new Intl.DateTimeFormat('en-GB', options)
    return (now) => {
      const parts = format.formatToParts(now)
      const read = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
      return { day: read('weekday').toLowerCase(), minute: Number(read('hour')) * 60 + Number(read('minute')) }
    }
  } catch {
    return 'broken'
  }
}
