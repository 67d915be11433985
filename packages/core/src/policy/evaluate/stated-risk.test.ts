import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { createHermeticJudge } from '../authoring/test-judge.ts'
import { loadPolicy } from '../load/policy.ts'

const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') } as Crypto

/** Judges a call under rules of the given layer, on top of the preset `balanced`. */
async function judged(rules: string, tool: string, args: object, layer: PolicyFile['layer'] = 'user') {
  const text = `version: 1\nrules:\n${rules}\n`
  const loaded = loadPolicy([{ layer, name: 'policy.yaml', text, trusted: false }], { checkers: [], crypto })
  if (loaded.kind === 'refused') throw new Error(loaded.problems[0]?.message)
  return createHermeticJudge(loaded.policy, crypto)({ tool, args: args as never }, null)
}

const READ = { path: 'src/a.ts' }

it('raises the risk of a call, and the preset answers the higher one', async () => {
  expect(await judged('  - { tool: x, raises_to: high }', 'read_file', READ)).toMatchObject({
    supervision: 'automatic',
  })
  expect(await judged('  - { tool: read_file, raises_to: critical }', 'read_file', READ)).toMatchObject({
    supervision: 'manual',
    risk: 'critical',
  })
})

it('never lowers a risk', async () => {
  const { risk } = await judged('  - { tool: "*", raises_to: low }', 'execute_command', { command: 'rm -rf ~' })
  expect(risk).toBe('critical')
})

it('raises only the part of a command that it matches', async () => {
  const rules =
    '  - { command: { program: git, verb: push }, raises_to: critical }\n  - { command: { program: git }, supervision: automatic }'
  expect(await judged(rules, 'execute_command', { command: 'git status' })).toMatchObject({ risk: 'none' })
  expect(await judged(rules, 'execute_command', { command: 'git status; git push' })).toMatchObject({
    risk: 'critical',
    supervision: 'manual',
  })
})

it('does not let a rule for higher risks loosen anything', async () => {
  const rules = [
    '  - { tool: read_file, raises_to: high }',
    '  - { tool: read_file, risk: { at_most: low }, supervision: deny }',
    '  - { tool: read_file, risk: high, supervision: automatic, up_to: high }',
  ].join('\n')
  expect(await judged(rules, 'read_file', READ)).toMatchObject({ supervision: 'deny' })
})

it('sees the rated level in its own conditions, so that the order of rules does not matter', async () => {
  const rules = '  - { tool: read_file, raises_to: medium }\n  - { risk: medium, raises_to: critical }'
  expect(await judged(rules, 'read_file', READ)).toMatchObject({ risk: 'medium' })
})

it('applies when it may match, and from an untrusted project', async () => {
  const rules = '  - { path: "secret/**", raises_to: critical }'
  expect(await judged(rules, 'execute_command', { command: 'cat "$X"' })).toMatchObject({ risk: 'critical' })
  expect(await judged('  - { tool: read_file, raises_to: high }', 'read_file', READ, 'project')).toMatchObject({
    risk: 'high',
    supervision: 'confirm',
  })
})

it('raises a call that makes the call', async () => {
  const rules = '  - { tool: get_weather, raises_to: critical }'
  const args = { tool: 'get_weather', arguments: {} }
  expect(await judged(rules, 'invoke_tool', args)).toMatchObject({ supervision: 'manual' })
})

it('can have a supervision of its own', async () => {
  const rules = '  - { tool: read_file, raises_to: high, supervision: manual }'
  expect(await judged(rules, 'read_file', READ)).toMatchObject({ risk: 'high', supervision: 'manual' })
})
