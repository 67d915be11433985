import { describe, expect, it } from 'vitest'
import type { Conditions, PolicySet, Rule } from '../model/rule.ts'
import { dependsOnTime } from './adjust-verdict.ts'

const HOURS: Conditions = { hours: { inside: '08:00-20:00' } }

function policyOf(when: Conditions, unless: Conditions | null = null): PolicySet {
  return {
    rules: [
      { when: { kind: ['read'] }, unless: null },
      { when, unless },
    ] as unknown as readonly Rule[],
  } as PolicySet
}

describe('a policy depends on the time', () => {
  it.each<readonly [string, PolicySet]>([
    ['in a rule', policyOf(HOURS)],
    ['in an exception', policyOf({}, HOURS)],
    ['inside `any`', policyOf({ any: [{ kind: ['read'] }, HOURS] })],
    ['inside `all`', policyOf({ all: [HOURS] })],
    ['inside `not`', policyOf({ not: HOURS })],
    ['at any depth', policyOf({}, { not: { any: [{ all: [{ not: HOURS }] }] } })],
  ])('%s', (_, policy) => {
    expect(dependsOnTime(policy)).toBe(true)
    expect(dependsOnTime(policy)).toBe(true)
  })

  it('or not at all', () => {
    expect(dependsOnTime(policyOf({ any: [{ kind: ['read'] }], not: { tool: ['hours'] } }))).toBe(false)
  })
})
