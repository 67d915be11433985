import type { HeldCall } from '@countersign/react'
import { expect, it } from 'vitest'
import { stableOrder } from './stable-order.ts'

const calls = (...ids: readonly string[]) => ids.map((id) => ({ id }) as HeldCall)

it('keeps rows in place, drops closed calls and lists new ones separately', () => {
  const { shown, fresh } = stableOrder(['a', 'b', 'c'], calls('new', 'c', 'a'))
  expect(shown.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(fresh.map(({ id }) => id)).toEqual(['new'])
})
