const CLOCK = '([01][0-9]|2[0-3]):([0-5][0-9])'

export const HOURS_PATTERN = new RegExp(`^${CLOCK}-(${CLOCK}|24:00)$`)

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const WEEK: readonly string[] = DAYS

export const DAYS_PATTERN = /^(mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?$/

/** Minutes of the day, from inclusive, to exclusive. `from` after `to` crosses midnight. */
export interface HoursRange {
  readonly from: number
  readonly to: number
}

/** `08:00-20:00` as minutes; null if it is not a range or empty. */
export function parseHours(text: string): HoursRange | null {
  if (!HOURS_PATTERN.test(text)) return null
  const [from, to] = text.split('-').map((clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)))
  return from === undefined || to === undefined || from === to ? null : { from, to }
}

/** `mon-fri` as its days, wrapping around the week; null if it is not a day. */
export function parseDays(text: string): readonly string[] | null {
  if (!DAYS_PATTERN.test(text)) return null
  const [first = '', last = first] = text.split('-')
  const from = WEEK.indexOf(first)
  const to = WEEK.indexOf(last)
  const length = ((to - from + DAYS.length) % DAYS.length) + 1
  return Array.from({ length }, (_, step) => DAYS[(from + step) % DAYS.length] ?? first)
}

/** Whether this runtime knows a time zone by its IANA name. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
