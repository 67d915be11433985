import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import { confirmationFor, requiredReading } from '../call/confirmation-level.ts'
import { type Approval, approvalOfPart, decisionOf, questionOf } from './approval.ts'

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

  it('shows its existing answer', () => {
    const part = { type: 'dynamic-tool', toolName: 'x', approval: { id: 'a1', approved: false, reason: 'no' } }
    expect(approvalOfPart(part)?.answered).toEqual({ approved: false, reason: 'no' })
  })

  it('asks nothing without an approval', () => {
    expect(approvalOfPart({ type: 'tool-x', input: {} })).toBeNull()
  })
})

describe('a question', () => {
  const part = (input: unknown): Approval | null =>
    approvalOfPart({ type: 'tool-deploy', input, approval: { id: 'a1' } })
  const known = (approval: Approval | null): string => (approval === null ? '' : questionOf(approval))

  it('changes with its arguments or request, even under the same id', () => {
    expect(known(part({ to: 'prod' }))).toBe(known(part({ to: 'prod' })))
    expect(known(part({ to: 'prod' }))).not.toBe(known(part({ to: 'test' })))
    const gated = part({}) as Approval
    expect(known({ ...gated, requestDigest: 'a' })).not.toBe(known({ ...gated, requestDigest: 'b' }))
  })

  it('refuses an answer to the previous request', () => {
    const { view } = openedView({})
    const answer = { id: view.id, approved: true }
    expect(decisionOf(view, { ...answer, requestDigest: view.requestDigest })).toEqual({ kind: 'approve' })
    expect(() => decisionOf(view, { ...answer, requestDigest: 'another' })).toThrow('has changed')
  })
})

describe('the confirmation an approval needs', () => {
  it.each([
    ['confirm', 'low', 'one', 'nothing'],
    ['confirm', 'medium', 'one', 'preview'],
    ['confirm', 'high', 'two', 'everything'],
    ['confirm', 'critical', 'two', 'everything'],
    ['manual', 'low', 'manual', 'everything'],
  ] as const)('under %s at %s risk is %s, after reading %s', (supervision, risk, act, seen) => {
    expect([confirmationFor(supervision, risk), requiredReading(risk, act)]).toEqual([act, seen])
  })
})
