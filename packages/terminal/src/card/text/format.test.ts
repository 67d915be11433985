import { describe, expect, it } from 'vitest'
import { timeText } from './format.ts'

describe('a formatted time', () => {
  it('shows the local time to the second', () => {
    expect(timeText(new Date(2026, 0, 5, 3, 4, 5).getTime())).toBe('2026-01-05 03:04:05')
    expect(timeText(Number.NaN)).toBe('no time')
  })
})
