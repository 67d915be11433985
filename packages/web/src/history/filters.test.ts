import { expect, it } from 'vitest'
import { approverNames } from './filters.tsx'

it('adds the key id to approvers that share a name', () => {
  const names = new Map([
    ['1111111122', 'Ana'],
    ['3333333344', 'Ana'],
    ['5555555566', 'Bea'],
  ])
  expect(approverNames([...names.keys()], (id) => names.get(id) ?? id).map(([, name]) => name)).toEqual([
    'Ana (11111111)',
    'Ana (33333333)',
    'Bea',
  ])
})
