import { expect, it } from 'vitest'
import { isLifetimeOffered, nextLifetime } from './lifetimes.ts'

const MINUTES = { kind: 'minutes', minutes: 10 } as const

it.each([
  [{ kind: 'minutes', minutes: 45 }, true],
  [{ kind: 'minutes', minutes: 480 }, true],
  [{ kind: 'minutes', minutes: 481 }, false],
  [{ kind: 'minutes', minutes: 0 }, false],
  [{ kind: 'minutes', minutes: 1.5 }, false],
  [{ kind: 'minutes', minutes: Number.POSITIVE_INFINITY }, false],
  [{ kind: 'uses', uses: 5 }, false],
  [{ kind: 'session' }, false],
] as const)('takes %j in place of some minutes: %s', (given, expected) => {
  expect(isLifetimeOffered(given, [MINUTES])).toBe(expected)
})

it('steps through the usual numbers, and stops at both ends', () => {
  expect(nextLifetime(MINUTES, 1)).toEqual({ kind: 'minutes', minutes: 15 })
  expect(nextLifetime({ kind: 'minutes', minutes: 480 }, 1)).toEqual({ kind: 'minutes', minutes: 480 })
  expect(nextLifetime({ kind: 'uses', uses: 1 }, -1)).toEqual({ kind: 'uses', uses: 1 })
})
