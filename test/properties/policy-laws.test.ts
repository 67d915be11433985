import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import { compilePolicy } from '../../packages/core/src/policy/compile/compiled-policy.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate/evaluate.ts'
import { explainPolicy } from '../../packages/core/src/policy/evaluate/explain.ts'
import { withStatedRisk } from '../../packages/core/src/policy/evaluate/stated-risk.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Grant } from '../../packages/core/src/policy/model/grant.ts'
import type { PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import { supervisionRank } from '../../packages/core/src/policy/model/supervision.ts'
import type { Verdict } from '../../packages/core/src/policy/model/verdict.ts'
import { RISK_LEVELS } from '../../packages/core/src/risk/report/level.ts'
import { grant, type PolicyCase, policyCase } from './policy-cases.ts'
import { rule } from './policy-rules.ts'

const RUNS = { numRuns: 400 }

function judge({ call, risk, set, circumstances }: PolicyCase): Verdict {
  return evaluatePolicy(call, risk, compilePolicy(set), circumstances)
}

const rank = (verdict: Verdict): number => supervisionRank(verdict.supervision)

function withRules(one: PolicyCase, rules: readonly Rule[]): PolicyCase {
  const set: PolicySet = { ...one.set, rules }
  return { ...one, set }
}

function withGrants(one: PolicyCase, grants: readonly Grant[]): PolicyCase {
  const circumstances: Circumstances = { ...one.circumstances, grants }
  return { ...one, circumstances }
}

/** The widest grants that can be given for this call. */
function allGrants(call: FrozenCall): readonly Grant[] {
  const given = { session: call.session, agent: [...call.agent.parents, call.agent.name], givenBy: 'ann', givenAt: 0 }
  const session = { kind: 'session' } as const
  const { server, name: tool, definition } = call.tool
  return [
    { ...given, id: 'exact', lifetime: { kind: 'uses', uses: 9 }, scope: { kind: 'exact', grantKey: call.grantKey } },
    { ...given, id: 'tool', lifetime: session, scope: { kind: 'tool', server, tool, definition } },
    { ...given, id: 'server', lifetime: session, scope: { kind: 'server', server: server ?? '' } },
    { ...given, id: 'pattern', lifetime: session, scope: { kind: 'pattern', when: { tool: ['*'] } } },
  ]
}

const matchesAll = (one: Rule): Rule => ({ ...one, when: {}, unless: null })

describe('L2: a deny is final', () => {
  it('denies regardless of grants, layers and order', () => {
    const property = fc.property(policyCase, rule, fc.nat(), (one, extra, at) => {
      const deny: Rule = { ...matchesAll(extra), supervision: 'deny' }
      const rules = one.set.rules.toSpliced(at % (one.set.rules.length + 1), 0, deny)
      const verdict = judge(withGrants(withRules(one, rules), [...one.circumstances.grants, ...allGrants(one.call)]))
      expect(verdict.supervision).toBe('deny')
    })
    fc.assert(property, RUNS)
  })

  it('keeps denying when any rule is added', () => {
    const property = fc.property(policyCase, rule, (one, extra) => {
      fc.pre(judge(one).supervision === 'deny' && judge(withRules(one, [])).supervision !== 'deny')
      // A preset that denies what is not proven is no rule: a person’s rule may run it outside the sandbox.
      fc.pre(judge(one).rule.id !== 'builtin.uncontained')
      expect(judge(withRules(one, [...one.set.rules, extra])).supervision).toBe('deny')
    })
    fc.assert(property, { numRuns: 200 })
  })
})

describe('L4: additions only tighten, and order does not matter', () => {
  it('never becomes looser by another deny or floor', () => {
    const property = fc.property(policyCase, rule, fc.boolean(), (one, extra, denies) => {
      const added: Rule = denies ? { ...extra, supervision: 'deny' } : { ...extra, floor: true }
      expect(rank(judge(withRules(one, [...one.set.rules, added])))).toBeGreaterThanOrEqual(rank(judge(one)))
    })
    fc.assert(property, RUNS)
  })

  it('never becomes looser by another rule that raises a risk', () => {
    const property = fc.property(policyCase, rule, fc.constantFrom(...RISK_LEVELS), (one, extra, raisesTo) => {
      const added: Rule = { ...extra, supervision: 'automatic', floor: true, raisesTo }
      const [before, after] = [judge(one), judge(withRules(one, [...one.set.rules, added]))]
      expect(rank(after)).toBeGreaterThanOrEqual(rank(before))
      // A command that still runs unasked runs where it did.
      if (rank(after) < supervisionRank('confirm')) expect(after.contain).toEqual(before.contain)
    })
    fc.assert(property, RUNS)
  })

  it('judges a report with the stated levels as it judges the rated one', () => {
    const property = fc.property(policyCase, ({ call, risk, set, circumstances }) => {
      const policy = compilePolicy(set)
      const stated = withStatedRisk(call, risk, policy, circumstances)
      expect(RISK_LEVELS.indexOf(stated.level)).toBeGreaterThanOrEqual(RISK_LEVELS.indexOf(risk.level))
      expect(evaluatePolicy(call, stated, policy, circumstances)).toEqual(
        evaluatePolicy(call, risk, policy, circumstances),
      )
    })
    fc.assert(property, RUNS)
  })

  it('gives an identical verdict in any order and with duplicate rules', () => {
    const shuffled = policyCase.chain((one) =>
      fc
        .shuffledSubarray([...one.set.rules, ...one.set.rules], { minLength: one.set.rules.length * 2 })
        .map((rules) => ({ one, rules })),
    )
    const property = fc.property(shuffled, ({ one, rules }) => {
      const limits = one.set.limits.toReversed()
      expect(judge({ ...withRules(one, rules), set: { ...one.set, rules, limits } })).toEqual(judge(one))
    })
    fc.assert(property, RUNS)
  })

  it('never becomes looser by an unknown path', () => {
    const property = fc.property(policyCase, (one) => {
      const paths = one.risk.paths.map((path) => ({ ...path, real: null }))
      const rules = one.set.rules.filter((each) => each.supervision === 'automatic' && !each.floor)
      fc.pre(one.risk.parts.length === 0 && paths.length > 0 && rules.some((each) => each.when.path))
      const blind = { ...withRules(one, rules), risk: { ...one.risk, paths } }
      const bare = rules.filter((each) => each.when.path === undefined)
      expect(judge(blind).supervision).toBe(judge(withRules(blind, bare)).supervision)
    })
    fc.assert(property, { numRuns: 100 })
  })
})

describe('grants', () => {
  it('of another session or agent have no effect', () => {
    const property = fc.property(
      policyCase,
      fc.array(grant, { maxLength: 3 }),
      fc.boolean(),
      (one, grants, session) => {
        const foreign = [...grants, ...allGrants(one.call)].map((each, at) => ({
          ...each,
          id: `f${at}`,
          ...(session ? { session: 'another' } : { agent: [...each.agent, 'another'] }),
        }))
        expect(judge(withGrants(one, foreign))).toEqual(judge(withGrants(one, [])))
      },
    )
    fc.assert(property, RUNS)
  })

  it('loosen only confirm, up to medium risk, and are named in the verdict', () => {
    const property = fc.property(policyCase, (one) => {
      const before = judge(withGrants(one, []))
      const after = judge(withGrants(one, allGrants(one.call)))
      expect(rank(after)).toBeLessThanOrEqual(rank(before))
      if (rank(after) === rank(before)) return
      expect(before.supervision).toBe('confirm')
      expect(after.grant).not.toBeNull()
    })
    fc.assert(property, RUNS)
  })
})

describe('an explanation', () => {
  it('gives the same verdict, names one deciding rule per unit and accounts for every rule', () => {
    const property = fc.property(policyCase, (one) => {
      const { call, risk, set, circumstances } = one
      const explanation = explainPolicy(call, risk, compilePolicy(set), circumstances)
      expect(explanation.verdict).toEqual(judge(one))
      expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
      const told = explanation.units.map((unit) => supervisionRank(unit.supervision))
      const { limit, rule } = explanation.verdict
      if (limit === null && rule.id !== 'builtin.uncontained') expect(Math.max(...told)).toBe(rank(explanation.verdict))
      for (const unit of explanation.units) {
        expect(unit.rules).toHaveLength(set.rules.length)
        const raising = unit.rules.filter(({ outcome }) => outcome === 'floor' || outcome === 'open')
        for (const { says } of raising)
          expect(Math.min(supervisionRank(says), 3)).toBeLessThanOrEqual(supervisionRank(unit.supervision))
      }
    })
    fc.assert(property, RUNS)
  })
})
