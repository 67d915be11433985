import { safeText } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { cutText, timeText } from './format.ts'

describe('a formatted time', () => {
  it('shows the local time to the second', () => {
    expect(timeText(new Date(2026, 0, 5, 3, 4, 5).getTime())).toBe('2026-01-05 03:04:05')
    expect(timeText(Number.NaN)).toBe('no time')
  })
})

describe('a cut text', () => {
  it('never ends inside right-to-left letters, which would reorder what follows (A13)', () => {
    const text = safeText('rm \u05d0\u05d1\u05d2 > \u0633\u0644\u0627 12')
    for (let columns = 2; columns <= 60; columns += 1) {
      const cut = cutText(text, columns)
      expect(cut.split('⟦RTL⟧').length).toBe(cut.split('⟦LTR⟧').length)
      expect(cut.replace(/⟦RTL⟧[^⟦]*⟦LTR⟧/g, '')).not.toMatch(/[\u0590-\u08ff]/)
    }
  })
})
