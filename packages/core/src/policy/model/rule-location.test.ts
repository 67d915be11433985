import { expect, it } from 'vitest'
import { rulePlace, ruleWords } from './verdict.ts'

it('names the file and line of a rule, or its preset', () => {
  expect(rulePlace({ layer: 'user', file: 'policy.yaml', line: 25 })).toBe('policy.yaml:25')
  expect(rulePlace({ layer: 'preset', file: 'preset:balanced', line: 1 })).toBe('the balanced preset')
  expect(rulePlace({ layer: 'preset', file: 'balanced.yaml', line: 19 })).toBe('the balanced preset')
  expect(rulePlace({ layer: 'preset', file: 'preset:held', line: 1 })).toBe('no policy is in force')
  expect(rulePlace({ layer: 'builtin', file: 'builtin', line: 1 })).toBe('built in')
})

it('names the layer of rules that people wrote; built-in rules are named by their place', () => {
  expect(ruleWords({ id: 'writes', layer: 'user', file: 'policy.yaml', line: 25 })).toBe(
    'writes (user, policy.yaml:25)',
  )
  expect(ruleWords({ id: 'x', layer: 'preset', file: 'preset:balanced', line: 1 })).toBe('x (the balanced preset)')
})
