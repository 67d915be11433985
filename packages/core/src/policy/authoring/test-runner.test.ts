import { describe, expect, it } from 'vitest'
import { loadPolicyFile } from '../parse/policy-file.ts'
import { formatTestResult, runPolicyTests } from './test-runner.ts'

const places = { workspace: '/w', home: '/home/me', gate: '/g', temp: '/tmp' }

function tests(text: string) {
  const file = loadPolicyFile(
    { layer: 'user', name: 'policy.yaml', text: `version: 1\ntests:\n${text}` },
    { checkers: [] },
  )
  if (file.kind === 'refused') throw new Error(file.problems[0]?.message)
  return file.tests
}

describe('running a policy’s tests', () => {
  const judged = { supervision: 'confirm', risk: 'high', rule: 'a' } as const

  it('passes a case with the expected verdict', async () => {
    const cases = tests(
      '  - { name: it asks, call: { tool: x }, expect: { supervision: confirm, risk: high, rule: a } }\n',
    )
    const results = await runPolicyTests(cases, () => judged, places)
    expect(results.map(formatTestResult)).toEqual(['policy.yaml:3: pass: it asks'])
  })

  it('reports every difference with its place', async () => {
    const cases = tests('  - { call: { tool: x, server: s }, expect: { supervision: deny, risk: low, rule: b } }\n')
    const results = await runPolicyTests(cases, () => judged, places)
    expect(results.map(formatTestResult)).toEqual([
      'policy.yaml:3: fail: s/x is deny; expected deny, got confirm by a; expected risk low, got high; expected rule b, got a',
    ])
  })

  it('fails a case that cannot be judged', async () => {
    const cases = tests('  - { call: { tool: x }, expect: { supervision: deny } }\n')
    const judge = () => Promise.reject(new Error('no such tool'))
    expect((await runPolicyTests(cases, judge, places))[0]).toMatchObject({
      status: 'fail',
      differences: ['could not be judged: no such tool'],
    })
  })

  it('fills in places and passes on the time', async () => {
    const cases = tests(
      '  - { call: { tool: x, cwd: "${workspace}/a", args: { p: ["${gate}/b"] } }, at: "2026-01-05T22:00:00+01:00", expect: { supervision: deny } }\n',
    )
    const seen: unknown[] = []
    const judge = (...given: unknown[]) => {
      seen.push(...given)
      return judged
    }
    await runPolicyTests(cases, judge, places)
    expect(seen).toEqual([{ tool: 'x', cwd: '/w/a', args: { p: ['/g/b'] } }, Date.parse('2026-01-05T21:00:00Z')])
  })
})
