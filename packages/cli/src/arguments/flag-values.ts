import { CountersignError, safeText } from '@countersign/core'

/** Reads a positive integer. */
export function wholeNumber(flag: string, text: string, most = 1_000_000_000): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new CountersignError('CS_USAGE', `\`${flag}\` must be a number from 1 to ${most}, not \`${safeText(text)}\``)
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** Reads the value of `--since`: an age such as `90m`, or a date such as `2026-01-31` or `2026-01-31T10:00`. */
export function parseSince(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (UNITS.get(unit ?? '') ?? 0)
  const local = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text
  const at = /^\d{4}-\d{2}-\d{2}T/.test(local) ? Date.parse(local) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new CountersignError('CS_USAGE', `can’t read \`${safeText(text)}\` as a time; try 90m, 2h, 7d or 2026-01-31`)
}
