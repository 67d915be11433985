import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asked } from '../../../../../test/properties/policy-cases.ts'
import { policySet } from '../../../../../test/properties/policy-rules.ts'
import { compilePolicy } from '../compile/compiled-policy.ts'
import { evaluatePolicy } from './evaluate.ts'
import { evaluateWithGrants } from './with-grants.ts'

describe('looking up grants', () => {
  it('reaches the same verdict as with all grants loaded, and looks only for a person’s confirmation or a sandbox', async () => {
    let looked = 0
    let unasked = 0
    const property = fc.asyncProperty(policySet, asked, async (set, { call, risk, circumstances }) => {
      const policy = compilePolicy(set)
      const ungranted = { ...circumstances, grants: [] }
      let looks = 0
      const weighed = await evaluateWithGrants(call, risk, policy, ungranted, async () => {
        looks += 1
        return circumstances.grants
      })
      expect(weighed.verdict).toEqual(evaluatePolicy(call, risk, policy, circumstances))
      expect(weighed.verdict).toEqual(evaluatePolicy(call, risk, policy, weighed.circumstances))
      const { supervision, contain = null } = evaluatePolicy(call, risk, policy, ungranted)
      const isUnasked = supervision === 'automatic' || supervision === 'notify'
      expect(looks).toBe(isUnasked && contain === null ? 0 : 1)
      looked += looks
      unasked += 1 - looks
    })
    await fc.assert(property, { numRuns: 1000 })
    expect(Math.min(looked, unasked)).toBeGreaterThan(50)
  })
})
