import { describe, expect, it } from 'vitest'
import { decideCounts, hourRows, median } from './statistics.ts'

const HOUR = 3_600_000

describe('chart data', () => {
  it('has a row for every hour, including empty ones', () => {
    const known = [{ at: 9 * HOUR, approved: 2, rejected: 1, expired: 0 }]
    const rows = hourRows(known, 10 * HOUR + 5, 3)
    expect(rows.map(({ at, approved }) => [at / HOUR, approved])).toEqual([
      [8, 0],
      [9, 2],
      [10, 0],
    ])
  })

  it('counts each decision once', () => {
    expect(decideCounts([1, 1_999, 2_000, 299_999, 300_000, 9e9])).toEqual([2, 1, 0, 0, 0, 1, 2])
  })

  it('computes the median', () => {
    expect([median([]), median([3]), median([9, 1, 5])]).toEqual([null, 3, 5])
  })
})
