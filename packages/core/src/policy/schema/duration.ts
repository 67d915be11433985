const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const SHORTEST_TIMEOUT_MS = 1000
export const LONGEST_TIMEOUT_MS = 7 * UNITS.d
/** Callers that wait are held for at most this long; only a submitted call can take longer. */
export const LONGEST_ASKED_MS = UNITS.d
/** The default deadline of a held call. */
export const DEFAULT_TIMEOUT_MS = 5 * UNITS.m

export const DURATION_PATTERN = /^[1-9][0-9]{0,5}(s|m|h|d)$/

/** Milliseconds of `30s`, `5m`, `2h` or `7d`; null if it is not a duration. */
export function parseDuration(text: string): number | null {
  if (!DURATION_PATTERN.test(text)) return null
  const unit = text.at(-1)
  if (unit !== 's' && unit !== 'm' && unit !== 'h' && unit !== 'd') return null
  return Number(text.slice(0, -1)) * UNITS[unit]
}
