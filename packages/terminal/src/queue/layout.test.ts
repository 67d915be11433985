import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layQueue } from './layout.ts'

describe('the rows of the screen', () => {
  it('are never all used, whatever is held', () => {
    const screen = fc.record({
      rows: fc.integer({ min: 12, max: 200 }),
      held: fc.integer({ min: 0, max: 500 }),
      receipts: fc.integer({ min: 0, max: 500 }),
      problem: fc.boolean(),
      full: fc.boolean(),
    })
    fc.assert(
      fc.property(screen, ({ rows, held, receipts, problem, full }) => {
        const room = layQueue(rows, held, receipts, problem, full)
        const bar = held === 1 ? 0 : 1
        expect(bar + room.card + room.list + room.receipts + (problem ? 1 : 0)).toBeLessThan(rows)
        if (held > 0) expect(room.card).toBeGreaterThanOrEqual(8)
      }),
    )
  })
})
