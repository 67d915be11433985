import { expect, it } from 'vitest'
import { rulePlace } from './rule-place.ts'

it('names the file and the line of a rule, and the preset of one that has neither', () => {
  expect(rulePlace({ layer: 'user', file: 'policy.yaml', line: 25 })).toBe('policy.yaml:25')
  expect(rulePlace({ layer: 'preset', file: 'preset:balanced', line: 1 })).toBe('the balanced preset')
  expect(rulePlace({ layer: 'preset', file: 'balanced.yaml', line: 19 })).toBe('the balanced preset')
  expect(rulePlace({ layer: 'builtin', file: 'builtin', line: 1 })).toBe('built in')
})
