import { describe, expect, it } from 'vitest'
import { amountOf, countThings } from './quantities.ts'

describe('an amount of money', () => {
  it.each<[object, number | null]>([
    [{ amount: 1000.01 }, 1000.01],
    [{ amount_cents: 100_001 }, 1000.01],
    [{ unit_amount: 2000 }, 20],
    [{ amountInCents: 500 }, 5],
    [{ price: '$1,500.00' }, 1500],
    [{ total: '2.000,50 €' }, 2000.5],
    [{ total: '1500 USD' }, 1500],
    [{ amount: '2k' }, 2000],
    [{ amount: 5000, currency: 'JPY' }, 50],
    [{ payment: { amount: 0.5, currency: 'btc' } }, 100_000],
    [{ items: [{ price: 3 }, { price: 7 }] }, 7],
    [{ amount: -50 }, 50],
    [{ payment_id: 99_999 }, null],
    [{ total_count: 5000 }, null],
    [{ text: 'pay 5000' }, null],
    [{ amount: 'all of it' }, null],
  ])('of %j is %s', (args, expected) => {
    const found = amountOf(args as never, false)
    expect(found === null ? null : Math.round(found * 100) / 100).toBe(expected)
  })

  it('is in cents if the service always uses them, except in currencies without cents', () => {
    expect(amountOf({ amount: 150_000 }, true)).toBe(1500)
    expect(amountOf({ amount: 150_000, currency: 'jpy' }, true)).toBe(1500)
  })
})

describe('a count of things', () => {
  it.each<[object, number]>([
    [{ ids: [1, 2, 3] }, 3],
    [{ filter: { limit: 500 } }, 500],
    [{ batch_size: '250' }, 250],
    [{ timeout: 9000, page: 400, max_tokens: 4000 }, 0],
    [{ embedding: [0.1, 0.2, 0.3] }, 0],
    [{ scores: [0.1, 0.2, 0.3] }, 0],
    [{ deep: { list: [{ rows: [1, 2, 3, 4] }] } }, 4],
  ])('of %j is %s', (args, expected) => {
    expect(countThings(args as never)).toBe(expected)
  })
})
