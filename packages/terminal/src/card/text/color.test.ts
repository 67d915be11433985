import { describe, expect, it } from 'vitest'
import { createPaint } from './color.ts'

describe('colours', () => {
  it('leave the text unchanged if disabled', () => {
    expect(createPaint(false)('x', 'red', 'bold')).toBe('x')
    expect(createPaint(true)('x', 'red', 'bold')).toBe('\x1b[31;1mx\x1b[0m')
  })
})
