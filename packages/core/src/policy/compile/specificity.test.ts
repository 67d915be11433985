import { describe, expect, it } from 'vitest'
import { someRule } from '../../../../../test/model/case.ts'
import type { Conditions, Rule } from '../model/rule.ts'
import { orderOf } from './specificity.ts'

type Contender = readonly [when: Conditions, pattern: string | null, fields?: Partial<Rule>]

const order = ([when, pattern, fields]: Contender): number => orderOf(someRule(when, fields), pattern)

describe('the more specific rule', () => {
  it.each<[string, Contender, Contender]>([
    ['has a condition on the effect', [{ kind: ['read'] }, null], [{ tool: ['a'], risk: {}, hours: {} }, 'a']],
    ['has a condition on the effect inside `any`', [{ any: [{ path: {} }] }, null], [{ tool: ['a'] }, 'a']],
    [
      'has a condition on the effect in `unless`',
      [{ tool: ['*a'] }, '*a', { unless: { url: {} } }],
      [{ tool: ['a'] }, 'a'],
    ],
    ['has the exact tool name', [{ tool: ['a'] }, 'a'], [{ tool: ['long_*'], risk: {} }, 'long_*']],
    ['has a longer part of the tool name', [{ tool: ['ab*'] }, 'ab*'], [{ tool: ['a*'], risk: {} }, 'a*']],
    ['has a tool name', [{ tool: ['a*'] }, 'a*'], [{ risk: {}, hours: {} }, null]],
    ['has more conditions', [{ risk: {}, hours: {} }, null], [{ risk: {} }, null]],
    ['has more arguments', [{ args: { a: {}, b: {} } }, null], [{ args: { a: {} } }, null]],
    [
      'is stricter, all else being equal',
      [{ risk: {} }, null, { supervision: 'confirm' }],
      [{ hours: {} }, null, { supervision: 'notify' }],
    ],
    [
      'is in a nearer layer, whatever else it has',
      [{}, null, { layer: 'user' }],
      [{ path: {}, args: { a: {} } }, 'a', { layer: 'project' }],
    ],
    [
      'is in the project, not in the preset',
      [{}, null, { layer: 'project' }],
      [{ path: {} }, 'a', { layer: 'preset' }],
    ],
  ])('%s', (_name, winner, loser) => {
    expect(order(winner)).toBeGreaterThan(order(loser))
  })

  it('ties with a rule that differs only in name and place', () => {
    expect(order([{ risk: {} }, null, { id: 'a', line: 1 }])).toBe(order([{ hours: {} }, null, { id: 'b', line: 9 }]))
  })
})
