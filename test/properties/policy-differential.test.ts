import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compilePolicy } from '../../packages/core/src/policy/compile.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate.ts'
import type { RuleRef } from '../../packages/core/src/policy/verdict.ts'
import { modelEvaluate } from '../model/evaluate.ts'
import type { PolicyCase } from './policy-cases.ts'
import { policyCase } from './policy-cases.ts'

/** More cases: `COUNTERSIGN_CASES=1000000`; the seed of a failure is printed, and `COUNTERSIGN_SEED` repeats it. */
const CASES = Number(process.env['COUNTERSIGN_CASES'] ?? 20_000)
const SEED = process.env['COUNTERSIGN_SEED']

const nameOf = (ref: RuleRef): string => `${ref.id}|${ref.layer}|${ref.file}|${ref.line}`

it('judges every random case as the reference model does', { timeout: 0 }, () => {
  const met = new Map<string, number>()
  const agrees = ({ set, call, risk, circumstances }: PolicyCase): void => {
    const verdict = evaluatePolicy(call, risk, compilePolicy(set), circumstances)
    const { supervision, rule, contributors, checks, timeoutMs, grant, limit } = verdict
    const said = { supervision, rule: nameOf(rule), contributors: [...new Set(contributors.map(nameOf))].sort(), checks, timeoutMs, grant, limit }
    expect(said).toEqual(modelEvaluate(call, risk, set, circumstances))
    const trait = `${supervision}${grant === null ? '' : '+grant'}${limit === null ? '' : '+limit'}`
    met.set(trait, (met.get(trait) ?? 0) + 1)
  }
  fc.assert(fc.property(policyCase, agrees), { numRuns: CASES, ...(SEED === undefined ? {} : { seed: Number(SEED) }) })
  if (CASES < 20_000) return
  for (const trait of ['automatic', 'notify', 'confirm', 'manual', 'deny', 'automatic+grant', 'confirm+limit', 'deny+limit']) {
    expect(met.get(trait) ?? 0, `cases that come out as ${trait}`).toBeGreaterThan(20)
  }
})
