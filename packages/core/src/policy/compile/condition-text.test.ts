import { describe, expect, it } from 'vitest'
import { conditionText } from './verdict-contribution.ts'

describe('the text of a condition', () => {
  it.each([
    [
      { kind: ['write'], path: { inside: ['${workspace}'], except: ['**/.env*', '*.pem'] } },
      null,
      'kind: write, path: { inside: ${workspace}, except: [**/.env*, *.pem] }',
    ],
    [
      { tool: ['deploy*'], risk: { at_least: 'high' } },
      { agent: ['ci bot'] },
      'tool: deploy*, risk: { at_least: high }, unless: { agent: "ci bot" }',
    ],
    [{ args: { limit: { above: 100 } } }, null, 'args: { limit: { above: 100 } }'],
    [{}, null, 'any call'],
  ] as const)('for %j reads as a person would write it', (when, unless, words) => {
    expect(conditionText({ when, unless })).toBe(words)
  })

  it('is shortened if it would fill the card', () => {
    const when = { tool: Array.from({ length: 500 }, (_, at) => `tool_${at}`) }
    expect(conditionText({ when, unless: null })).toHaveLength(401)
  })
})
