import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { policyFile, rule } from '../../packages/core/src/policy/definition.ts'
import { conditionShape } from '../../packages/core/src/policy/definition-conditions.ts'
import { policyJsonSchema } from '../../packages/core/src/policy/json-schema.ts'
import { loadPolicyFile } from '../../packages/core/src/policy/load-file.ts'
import { formatProblem } from '../../packages/core/src/policy/problem.ts'

const page = readFileSync(new URL('../../docs/reference/policy.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text)
const schema = z.fromJSONSchema(policyJsonSchema() as Parameters<typeof z.fromJSONSchema>[0])

describe('the policy reference', () => {
  it('has an example for every condition', () => {
    const used = new Set(examples.flatMap((text) => [...text.matchAll(/[\w]+(?=:)/g)].map(([key]) => key)))
    const keys = [...Object.keys(policyFile.shape), ...Object.keys(rule.shape), ...Object.keys(conditionShape)]
    expect(keys.filter((key) => !used.has(key))).toEqual([])
  })

  it.each(examples)('loads its example %#', (text) => {
    const file = loadPolicyFile({ layer: 'user', name: 'policy.md', text }, { checkers: ['backup', 'secrets'] })
    expect(file.kind === 'refused' ? file.problems.map(formatProblem) : []).toEqual([])
  })

  it.each(examples)('has an example %# that the JSON Schema accepts too', (text) => {
    expect(schema.safeParse(parse(text)).error?.issues ?? []).toEqual([])
  })
})
