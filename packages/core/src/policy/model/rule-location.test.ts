import { expect, it } from 'vitest'
import { rulePlace, ruleWords } from './verdict.ts'

it('names the file and the line of a rule, and the preset of one that has neither', () => {
  expect(rulePlace({ layer: 'user', file: 'policy.yaml', line: 25 })).toBe('policy.yaml:25')
  expect(rulePlace({ layer: 'preset', file: 'preset:balanced', line: 1 })).toBe('the balanced preset')
  expect(rulePlace({ layer: 'preset', file: 'balanced.yaml', line: 19 })).toBe('the balanced preset')
  expect(rulePlace({ layer: 'preset', file: 'preset:held', line: 1 })).toBe('no policy is in force')
  expect(rulePlace({ layer: 'builtin', file: 'builtin', line: 1 })).toBe('built in')
})

it('says the layer of what people wrote; of what comes with the program its place says it', () => {
  expect(ruleWords({ id: 'writes', layer: 'user', file: 'policy.yaml', line: 25 })).toBe(
    'writes (user, policy.yaml:25)',
  )
  expect(ruleWords({ id: 'x', layer: 'preset', file: 'preset:balanced', line: 1 })).toBe('x (the balanced preset)')
})
