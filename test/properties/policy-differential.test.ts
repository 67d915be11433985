import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compilePolicy } from '../../packages/core/src/policy/compile/compiled-policy.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate/evaluate.ts'
import type { PolicySet } from '../../packages/core/src/policy/model/rule.ts'
import type { RuleRef, Verdict } from '../../packages/core/src/policy/model/verdict.ts'
import { modelEvaluate } from '../model/evaluate.ts'
import { type Asked, asked } from './policy-cases.ts'
import { policySet } from './policy-rules.ts'

/** `COUNTERSIGN_CASES=1000000` runs more cases. A failure prints its seed, which `COUNTERSIGN_SEED` repeats. */
const CASES = Number(process.env['COUNTERSIGN_CASES'] ?? 10_000)
const SEED = process.env['COUNTERSIGN_SEED']

/** Calls per random policy, since a policy is more expensive to generate than a call. */
const CALLS = 4

it('judges every random case like the reference model', { timeout: 0 }, () => {
  const met = new Map<string, number>()
  const agree = (set: PolicySet, asks: readonly Asked[]): void => {
    const policy = compilePolicy(set)
    for (const { call, risk, circumstances } of asks) {
      const verdict = evaluatePolicy(call, risk, policy, circumstances)
      const said = { ...pick(verdict), rule: nameOf(verdict.rule), contributors: namesOf(verdict.contributors) }
      const expected = modelEvaluate(call, risk, set, circumstances)
      if (!isDeepStrictEqual(said, expected)) expect(said).toEqual(expected)
      if (said.contain !== null) met.set('contained', (met.get('contained') ?? 0) + 1)
      const trait = `${said.supervision}${said.grant === null ? '' : '+grant'}${said.limit === null ? '' : '+limit'}`
      met.set(trait, (met.get(trait) ?? 0) + 1)
    }
  }
  const asks = fc.array(asked, { minLength: CALLS, maxLength: CALLS })
  fc.assert(fc.property(policySet, asks, agree), {
    numRuns: CASES / CALLS,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  })
  if (CASES < 10_000) return
  for (const trait of TRAITS) expect(met.get(trait) ?? 0, `cases that come out as ${trait}`).toBeGreaterThan(0)
})

const TRAITS = [
  'automatic',
  'notify',
  'confirm',
  'manual',
  'deny',
  'automatic+grant',
  'confirm+limit',
  'deny+limit',
  'contained',
]

function pick({ supervision, checks, settings, timeoutMs, grant, limit, contain }: Verdict) {
  return { supervision, checks, settings: { ...settings }, timeoutMs, grant, limit, contain: contain ?? null }
}

function nameOf(ref: RuleRef): string {
  return `${ref.id}|${ref.layer}|${ref.file}|${ref.line}`
}

function namesOf(refs: readonly RuleRef[]): readonly string[] {
  return [...new Set(refs.map(nameOf))].sort()
}
