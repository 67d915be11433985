import { parseHours } from '@countersign/core'
import type { Settings } from './settings.ts'

const MINUTE = 60_000
const DAY = 24 * 60

/** When the quiet hours end that are on at a time; null when none are. Local time, unless the settings name a zone. */
export function quietUntil({ quiet }: Pick<Settings, 'quiet'>, now: number): number | null {
  const range = quiet === undefined ? null : parseHours(quiet.hours)
  if (range === null) return null
  const minute = minuteOf(now, quiet?.zone)
  const { from, to } = range
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return null
  const left = (to - minute + DAY) % DAY
  return now - (now % MINUTE) + left * MINUTE
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
