import { describe, expect, it } from 'vitest'
import { conditionShape } from '../../packages/core/src/policy/schema/conditions.ts'
import { policyFile, rule } from '../../packages/core/src/policy/schema/policy-document.ts'
import { blocksOf } from './pages.ts'

const examples = blocksOf('docs/reference/policy.md').filter(({ language }) => language === 'yaml')

describe('the policy reference', () => {
  it('has an example for every key and every condition', () => {
    const used = new Set(examples.flatMap(({ text }) => [...text.matchAll(/[\w]+(?=:)/g)].map(([key]) => key)))
    const keys = [...Object.keys(policyFile.shape), ...Object.keys(rule.shape), ...Object.keys(conditionShape)]
    expect(keys.filter((key) => !used.has(key))).toEqual([])
  })
})
