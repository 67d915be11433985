import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import { loadPolicy } from '../load/policy.ts'
import { loadPreset } from '../load/preset.ts'
import { loadPolicyFile } from '../parse/policy-file.ts'
import { PRESET_NAMES, type PresetName } from '../presets/preset-name.ts'
import type { PolicyTest } from '../schema/test-case.ts'
import { createHermeticJudge } from './test-judge.ts'
import { TEST_PLACES } from './test-places.ts'
import { formatTestResult, runPolicyTests } from './test-runner.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') } as Crypto

function judgeOf(text: string | null, defaultPreset: PresetName = 'balanced') {
  const files = text === null ? [] : [{ layer: 'user', name: 'policy.yaml', text, trusted: false } as const]
  const loaded = loadPolicy(files, { checkers: [], crypto, defaultPreset })
  if (loaded.kind === 'refused') throw new Error(loaded.problems[0]?.message)
  return createHermeticJudge(loaded.policy, crypto)
}

function failures(tests: readonly PolicyTest[], judge: ReturnType<typeof judgeOf>) {
  return runPolicyTests(tests, judge, TEST_PLACES).then((results) =>
    results.filter(({ status }) => status === 'fail').map(formatTestResult),
  )
}

describe('judging the test cases in policy files', () => {
  it.each(PRESET_NAMES)('passes every case of the preset %s', async (name) => {
    const { tests } = loadPreset(name)
    expect(tests.length).toBeGreaterThan(0)
    expect(await failures(tests, judgeOf(null, name))).toEqual([])
  })

  it.each([
    ['a literal path', 'docs/a.md'],
    ['dots that stay inside the folder', 'src/../docs/./a.md'],
    ['the home folder', '~/project/docs/a.md'],
    ['an absolute path', '/home/you/project/docs/a.md'],
  ])('resolves %s without disk access', async (_, path) => {
    const judge = judgeOf(
      'version: 1\nrules:\n  - { id: docs, kind: write, path: { inside: docs }, supervision: deny }\n',
    )
    expect(await judge({ tool: 'write_file', args: { path, content: 'x' } }, null)).toMatchObject({ rule: 'docs' })
    expect(
      await judge({ tool: 'write_file', args: { path: `${path}/../../x`, content: 'x' } }, null),
    ).not.toMatchObject({
      rule: 'docs',
    })
  })

  it('uses the time in the case, or noon', async () => {
    const judge = judgeOf(
      'version: 1\nrules:\n  - { id: night, tool: deploy, hours: { outside: "08:00-20:00", zone: UTC }, supervision: deny }\n',
    )
    const deploy = { tool: 'deploy', args: {} }
    expect((await judge(deploy, Date.parse('2026-01-05T22:00:00Z'))).supervision).toBe('deny')
    expect((await judge(deploy, null)).supervision).not.toBe('deny')
  })

  it('fails a case with an invalid call', async () => {
    const text = 'version: 1\ntests:\n  - { call: { tool: "a\\nb" }, expect: { supervision: automatic } }\n'
    const file = loadPolicyFile({ layer: 'user', name: 'policy.yaml', text }, { checkers: [] })
    const tests = file.kind === 'loaded' ? file.tests : []
    expect(await failures(tests, judgeOf(null))).toHaveLength(1)
  })
})
