import { describe, expect, it } from 'vitest'
import { parseSince } from './flag-values.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

describe('times on the command line', () => {
  it.each([
    ['90s', now - 90_000],
    ['90m', now - 5_400_000],
    ['2h', now - 7_200_000],
    ['7d', now - 604_800_000],
    ['2026-01-30T10:00:00Z', Date.parse('2026-01-30T10:00:00Z')],
    ['2026-01-30', new Date(2026, 0, 30).getTime()],
  ])('understands %s', (text, at) => {
    expect(parseSince(text, now)).toBe(at)
  })

  it.each(['', 'yesterday', '7', '7w', '-3d', '2026-13-01', '2026', '1e3d'])(
    'refuses %j and says what to write',
    (text) => {
      expect(() => parseSince(text, now)).toThrow(/try 90m, 2h, 7d or 2026-01-31/)
    },
  )
})
