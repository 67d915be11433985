import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hiddenWords, matchesQueue, parseQueueFilter, type QueueFacts, queueOrder } from './queue.ts'

const NOW = 1_000_000
const call = (risk: QueueFacts['risk'], seconds: number, more: Partial<QueueFacts> = {}): QueueFacts => ({
  risk,
  expiresAt: NOW + seconds * 1000,
  agent: ['coder'],
  tool: 'execute_command',
  cwd: '/work/shop',
  effect: 'Runs `ls`',
  ...more,
})
const order = (calls: readonly QueueFacts[]) => queueOrder(calls, (one) => one, NOW)

describe('the order of held calls', () => {
  it('is by risk within a deadline group, and by deadline between groups', () => {
    const [soon, high, low, later] = [call('low', 50), call('high', 290), call('low', 200), call('high', 3600)]
    expect(order([later, low, high, soon])).toEqual([soon, high, low, later])
  })

  it('never puts a critical call below one that is not', () => {
    const level = fc.constantFrom<QueueFacts['risk']>('none', 'low', 'medium', 'high', 'critical')
    fc.assert(
      fc.property(fc.array(fc.tuple(level, fc.integer({ min: -5, max: 90_000 }))), (calls) => {
        const risks = order(calls.map(([risk, seconds]) => call(risk, seconds))).map(({ risk }) => risk === 'critical')
        expect(risks).toEqual(risks.toSorted((one, other) => Number(other) - Number(one)))
      }),
    )
  })
})

describe('a filter', () => {
  const facts = call('high', 60, {
    agent: ['main', 'tester'],
    tool: 'github/create_issue',
    effect: 'Calls `create_issue`',
  })

  it.each([
    ['', true],
    ['create_ISSUE', true],
    ['agent:tester tool:github', true],
    ['agent:other', false],
    ['risk:medium', true],
    ['risk:critical', false],
    ['in:shop risk:high', true],
    ['in:bank', false],
    ['main nowhere', false],
    ['http://x', false],
  ])('%j matches: %j', (text, expected) => {
    expect(matchesQueue(facts, parseQueueFilter(text))).toBe(expected)
  })

  it('says how many calls it hides, and how grave they are', () => {
    expect(hiddenWords([])).toBe('')
    expect(hiddenWords([call('low', 1), call('critical', 1)])).toBe('2 hidden by the filter, 1 critical among them')
  })
})
