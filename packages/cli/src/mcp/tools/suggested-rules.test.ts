import { loadPolicyFile } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readsRule } from './suggested-rules.ts'

const labels = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `server-${at}`)

/** The rule as a policy file. */
const policyOf = (rule: readonly string[]): string =>
  `version: 1\nrules:\n${rule.map((line) => `  ${line}\n`).join('')}`

describe('the suggested rule for read-only tools', () => {
  it.each([1, 2, 12, 13, 40, 500])('names each of %i servers, and is valid', (count) => {
    const text = policyOf(readsRule(labels(count)))
    expect(parse(text).rules).toEqual([{ server: labels(count), kind: 'read', supervision: 'automatic', up_to: 'low' }])
    expect(loadPolicyFile({ layer: 'user', name: 'x', text }, { checkers: [] }).kind).not.toBe('refused')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(96)
  })

  it('never names an unknown server, however many there are', () => {
    const text = policyOf(readsRule(labels(2000)))
    expect(text).not.toContain('*')
    expect(text).toContain('# and 1500 more')
    expect(parse(text).rules[0].server).toEqual(labels(500))
  })
})
