import { parseHours } from '@countersign/core'
import type { Settings } from './settings.ts'

const MINUTE = 60_000
const DAY = 24 * 60
/** Minutes that clocks are put back by. Hours that never end, `00:00-24:00`, have no other end either. */
const MOST_SHIFT = 180

/** When the quiet hours end that are on at a time; null when none are. Local time, unless the settings name a zone. */
export function quietUntil({ quiet }: Pick<Settings, 'quiet'>, now: number): number | null {
  const range = quiet === undefined ? null : parseHours(quiet.hours)
  if (range === null) return null
  const { from, to } = range
  const isQuiet = (at: number): boolean => {
    const minute = minuteOf(at, quiet?.zone)
    return from < to ? minute >= from && minute < to : minute >= from || minute < to
  }
  if (!isQuiet(now)) return null
  const left = (to - minuteOf(now, quiet?.zone) + DAY) % DAY
  let until = now - (now % MINUTE) + left * MINUTE
  // Clocks may have been put forward or back in between.
  while (until - MINUTE > now && !isQuiet(until - MINUTE)) until -= MINUTE
  for (let shift = 0; shift < MOST_SHIFT && isQuiet(until); shift += 1) until += MINUTE
  return until
}

/** Minutes since midnight. */
function minuteOf(now: number, timeZone: string | undefined): number {
  const options = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  } as const
  const parts = new Intl.DateTimeFormat('en-GB', options).formatToParts(now)
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return read('hour') * 60 + read('minute')
}
