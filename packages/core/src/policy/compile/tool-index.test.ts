import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCall, somePolicy, someRisk, someRule } from '../../../../../test/model/case.ts'
import { evaluatePolicy } from '../evaluate/evaluate.ts'
import type { Rule } from '../model/rule.ts'
import { compilePolicy } from './compiled-policy.ts'

function decide(rules: readonly Rule[], server: string | null, name: string, args = {}): string {
  const call = someCall({ tool: { server, name, definition: 'def' }, args })
  return evaluatePolicy(call, someRisk(), compilePolicy(somePolicy(rules)), circumstancesAt()).rule.id
}

const confirm = (id: string, tool: string): Rule => someRule({ tool: [tool] }, { id, supervision: 'confirm' })
const rules = [confirm('exact', 'pg/Query'), confirm('server', 'PG/*'), confirm('glob', '*_file'), confirm('any', '*')]

describe('the index of rules by tool', () => {
  it.each([
    ['pg', 'query', 'exact'],
    ['PG', 'QUERY', 'exact'],
    ['pg', 'drop', 'server'],
    [null, 'read_file', 'glob'],
    ['s3', 'put_file', 'glob'],
    ['pgx', 'drop', 'any'],
    [null, 'query', 'any'],
  ])('finds %s/%s for the rule %s', (server, name, id) => {
    expect(decide(rules, server, name)).toBe(id)
  })

  it('caches a limited number of names and stays correct beyond it', () => {
    const policy = compilePolicy(somePolicy(rules))
    for (let at = 0; at < 5_000; at += 1) {
      const buckets = policy.index.bucketsOf({ server: 'pg', name: `hostile${at}`, definition: 'def' })
      if (at % 1_000 === 0)
        expect(policy.index.bucketsOf({ server: 'pg', name: `hostile${at}`, definition: 'def' })).toBe(buckets)
    }
    expect(policy.index.remembered).toBeLessThanOrEqual(1_024)
    const call = someCall({ tool: { server: 'pg', name: 'query', definition: 'def' } })
    expect(evaluatePolicy(call, someRisk(), policy, circumstancesAt()).rule.id).toBe('exact')
  })

  it('misses no rule among hundreds, whatever the argument contains', () => {
    const many = Array.from({ length: 300 }, (_, n) => [
      someRule({ args: { path: { glob: `/srv/${n}/*` } } }, { id: `glob${n}`, supervision: 'manual' }),
      someRule({ args: { command: { regex: `^tool${n}\\s+run` } } }, { id: `regex${n}`, supervision: 'manual' }),
      someRule(
        { args: { env: { equals: `e${n}` }, amount: { above: n } } },
        { id: `equal${n}`, supervision: 'manual' },
      ),
    ]).flat()
    expect(decide(many, null, 'x', { path: '/srv/7/a' })).toBe('glob7')
    expect(decide(many, null, 'x', { path: ['/tmp', '/srv/7/a'] })).toBe('preset.balanced.low')
    expect(decide(many, null, 'x', { path: ['/srv/7/a'] })).toBe('glob7')
    expect(decide(many, null, 'x', { command: 'tool250 run' })).toBe('regex250')
    expect(decide(many, null, 'x', { command: 'tool250run' })).toBe('preset.balanced.low')
    expect(decide(many, null, 'x', { command: { nested: true } })).toBe('regex0')
    expect(decide(many, null, 'x', { env: 'e9', amount: 10 })).toBe('equal9')
    expect(decide(many, null, 'x', { env: 'e9', amount: 'lots' })).toBe('equal9')
    expect(decide(many, null, 'x', {})).toBe('preset.balanced.low')
  })
})
