import { describe, expect, it } from 'vitest'
import { pageOf } from './journal.ts'

describe('a page of the journal', () => {
  it.each<[{ from?: number; to?: number; limit?: number }, number, { from: number; to: number }]>([
    [{}, 2_000, { from: 1_501, to: 2_000 }],
    [{ from: 1 }, 2_000, { from: 1, to: 500 }],
    [{ from: 1_800 }, 2_000, { from: 1_800, to: 2_000 }],
    [{ to: 700 }, 2_000, { from: 201, to: 700 }],
    [{ from: 5, to: 9 }, 2_000, { from: 5, to: 9 }],
    [{ from: 1, to: 2_000 }, 2_000, { from: 1, to: 500 }],
    [{ from: 1, to: 1_000, limit: 2 }, 2_000, { from: 1, to: 2 }],
    [{ from: 0, limit: 2 }, 2_000, { from: 1, to: 2 }],
    [{}, 3, { from: 1, to: 3 }],
    [{ limit: 100 }, 2_000, { from: 1_901, to: 2_000 }],
    [{ from: 1_901, limit: 50 }, 2_000, { from: 1_901, to: 1_950 }],
    [{ from: 2_001 }, 2_000, { from: 2_001, to: 2_000 }],
  ])('of %j in %d entries is %j', (asked, size, page) => {
    expect(pageOf(asked, size)).toEqual(page)
  })
})
