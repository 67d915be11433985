import { expect, it } from 'vitest'
import { idKey } from './message.ts'

it.each([
  ['1', '1.0', true],
  ['1', '1e0', true],
  ['10', '1E1', true],
  ['1', '"1"', false],
  ['"a"', '"\\u0061"', true],
  ['9007199254740992', '9007199254740993', false],
  ['1.5', '1.50', true],
])('treats %s and %s as the same id: %s', (one, other, isSame) => {
  expect(idKey(one) === idKey(other)).toBe(isSame)
})
