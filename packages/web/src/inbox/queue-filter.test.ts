import type { HeldCall, RiskLevel } from '@countersign/react'
import { describe, expect, it } from 'vitest'
import { EVERYTHING, queueOf } from './queue-filter.ts'

const NOW = 1_000_000

function call(id: string, risk: RiskLevel, seconds: number, more: Readonly<Record<string, unknown>> = {}): HeldCall {
  const facts = { agent: ['main', 'coder'], tool: 'execute_command', cwd: '/work/shop', effect: `Runs \`${id}\`` }
  return { id, risk: { level: risk }, expiresAt: NOW + seconds * 1000, ...facts, ...more } as unknown as HeldCall
}

const CALLS = [
  call('soon', 'low', 30),
  call('low', 'low', 200),
  call('high', 'high', 300, { agent: ['main', 'coder-2'] }),
  call('critical', 'critical', 80_000, { tool: 'db/drop', cwd: '/work/bank' }),
]
const shown = (choice: Partial<typeof EVERYTHING>) =>
  queueOf(CALLS, { ...EVERYTHING, ...choice }, NOW).shown.map(({ id }) => id)

describe('the list of held calls', () => {
  it('is by risk within deadline groups, with critical calls first', () => {
    expect(shown({})).toEqual(['critical', 'soon', 'high', 'low'])
  })

  it.each([
    [{ text: 'HIGH' }, ['high']],
    [{ agent: 'coder' }, ['critical', 'soon', 'low']],
    [{ risk: 'high' }, ['critical', 'high']],
    [{ tool: 'db/drop' }, ['critical']],
    [{ workspace: '/work/shop', text: 'risk:high' }, ['high']],
  ] as const)('is filtered by %j', (choice, expected) => {
    expect(shown(choice)).toEqual(expected)
  })

  it('states what a filter hides', () => {
    const { hidden, agents, tools, workspaces } = queueOf(CALLS, { ...EVERYTHING, text: 'soon' }, NOW)
    expect(hidden).toBe('3 hidden by the filter, 1 critical and 1 high among them')
    expect([agents, tools, workspaces]).toEqual([
      ['coder', 'coder-2'],
      ['db/drop', 'execute_command'],
      ['/work/bank', '/work/shop'],
    ])
  })
})
