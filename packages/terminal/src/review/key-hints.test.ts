import { displayWidth, type SafeText } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CardFacts, openCardState } from '../card/card-state.ts'
import { actionLines } from './key-hints.ts'

const FACTS: CardFacts = {
  act: 'one',
  code: '',
  pages: 5,
  allPages: 5,
  grants: [],
  secrets: 1,
  rows: 5,
  window: 9,
  powers: new Set(['edit', 'queue', 'copy', 'full', 'undo', 'batch']),
}

describe('the key hints', () => {
  it('fit their rows, and always show where the rest is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 24, max: 200 }), fc.integer({ min: 1, max: 3 }), (columns, rows) => {
        const lines = actionLines(FACTS, openCardState(FACTS, 0), columns, rows)
        expect(lines).toHaveLength(rows)
        for (const line of lines) expect(displayWidth(line as SafeText)).toBeLessThanOrEqual(columns)
        expect(lines.join(' · ')).toContain('? keys')
        expect(lines[0]).toContain('y approve')
        if (columns >= 66) expect(lines[0]).toContain('y approve · n reject · v show secrets · b batch')
      }),
    )
  })
})
