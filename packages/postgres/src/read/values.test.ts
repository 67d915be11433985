import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stored, text } from './values.ts'

describe('a stored text', () => {
  it('has no NUL and is read as it was', () => {
    const unit = fc.constantFrom('\0', '\x1a', '0', '1', 'a', '\u{1f600}', '\ud800')
    fc.assert(
      fc.property(fc.string({ unit }), (value) => {
        expect(stored(value)).not.toContain('\0')
        expect(text({ value: stored(value) }, 'value')).toBe(value.toWellFormed())
      }),
    )
  })

  it('differs for different texts', () => {
    expect(new Set(['\0', '\x1a', '\x1a0', '\x1a1', '\x001', '\x1a\0'].map(stored)).size).toBe(6)
  })
})
