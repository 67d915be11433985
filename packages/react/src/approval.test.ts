import { describe, expect, it } from 'vitest'
import { actFor, mustSee } from './act.ts'
import { approvalOfPart } from './approval.ts'

describe('an approval part of the AI SDK', () => {
  it('becomes an approval with its tool and arguments', () => {
    const part = { type: 'tool-deploy', state: 'approval-requested', input: { to: 'prod' }, approval: { id: 'a1' } }
    expect(approvalOfPart(part)).toMatchObject({
      id: 'a1',
      tool: 'deploy',
      args: { to: 'prod' },
      answered: null,
      gated: false,
    })
  })

  it('that was answered shows how', () => {
    const part = { type: 'dynamic-tool', toolName: 'x', approval: { id: 'a1', approved: false, reason: 'no' } }
    expect(approvalOfPart(part)?.answered).toEqual({ approved: false, reason: 'no' })
  })

  it('without an approval asks nothing', () => {
    expect(approvalOfPart({ type: 'tool-x', input: {} })).toBeNull()
  })
})

describe('how deliberate an approval must be', () => {
  it.each([
    ['confirm', 'low', 'one', 'nothing'],
    ['confirm', 'medium', 'one', 'folds'],
    ['confirm', 'high', 'two', 'everything'],
    ['confirm', 'critical', 'two', 'everything'],
    ['manual', 'low', 'manual', 'nothing'],
  ] as const)('at %s and %s it is %s, and %s must be seen', (supervision, risk, act, seen) => {
    expect([actFor(supervision, risk), mustSee(risk)]).toEqual([act, seen])
  })
})
