const HOUR_MS = 3_600_000

/** Counts of decisions in one hour. */
export interface HourRow {
  readonly at: number
  readonly approved: number
  readonly rejected: number
  readonly expired: number
}

const MOST_HOURS = 48
const FEWEST_HOURS = 6

/** The number of hours to show: back to the first decision, within bounds. */
export function hoursShown(known: readonly HourRow[], now: number): number {
  const decided = known.filter((row) => row.approved + row.rejected + row.expired > 0)
  const first = Math.min(now, ...decided.map((row) => row.at))
  return Math.min(MOST_HOURS, Math.max(FEWEST_HOURS, Math.ceil((now - first) / HOUR_MS) + 1))
}

/** The last `hours` hours up to `now`, including empty ones. */
export function hourRows(known: readonly HourRow[], now: number, hours = hoursShown(known, now)): readonly HourRow[] {
  const byHour = new Map(known.map((row) => [row.at, row]))
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - (hours - 1) * HOUR_MS
  return Array.from({ length: hours }, (_, place) => {
    const at = first + place * HOUR_MS
    return byHour.get(at) ?? { at, approved: 0, rejected: 0, expired: 0 }
  })
}

/** Upper bounds of the histogram of decision times, in milliseconds; one more bucket is open-ended. */
export const DECIDE_BOUNDS = [2_000, 5_000, 10_000, 30_000, 60_000, 300_000] as const

/** The histogram of decision times. */
export function decideCounts(times: readonly number[]): readonly number[] {
  const counts = new Array<number>(DECIDE_BOUNDS.length + 1).fill(0)
  for (const ms of times) {
    const at = DECIDE_BOUNDS.findIndex((bound) => ms < bound)
    const place = at === -1 ? DECIDE_BOUNDS.length : at
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

/** The median; null for an empty list. */
export function median(times: readonly number[]): number | null {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? null
}
