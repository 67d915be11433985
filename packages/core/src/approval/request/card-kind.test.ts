import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import { cardVerbs, isAnswerOnly, isDrawnByUndo, permissionQuestion, undoFacts } from './card-kind.ts'
import type { OpenedView } from './verified-view.ts'

const ASKED = {
  action_type: 'delete',
  scope: { records: 500, target: 'users' },
  risk_level: 'high',
  said: 'All is ready. Should I delete 500 users? I will wait.',
}

function question(
  args: object = ASKED,
  tool = 'proceed',
  message: string | null = 'Proceed lets it go on.',
): OpenedView {
  const opened = openedView({ tool, args: args as never })
  return { ...opened, view: { ...opened.view, confirmationMessage: message } }
}

describe('the question of the loop', () => {
  it('has the agent’s question as headline, and its facts in words', () => {
    expect(permissionQuestion(question())).toEqual({
      asks: 'Should I delete 500 users?',
      announces: null,
      said: ASKED.said,
      facts: [
        ['action type', 'delete'],
        ['risk level', 'high'],
        ['records', '500'],
        ['target', 'users'],
      ],
    })
    const told = question({ said: 'All is ready. I will delete the 500 users now.' })
    expect(permissionQuestion(told)).toMatchObject({ asks: null, announces: 'I will delete the 500 users now.' })
    const short = permissionQuestion(question({ said: 'All is set. I will delete 500 users. Should I proceed?' }))
    expect(short?.asks).toBe('I will delete 500 users. Should I proceed?')
  })

  it('is answered with Proceed or Cancel, and can’t be edited or granted', () => {
    expect(cardVerbs(question())).toEqual({ approve: 'Proceed', reject: 'Cancel' })
    expect(isAnswerOnly(question())).toBe(true)
  })

  it.each([
    ['has another name', question(ASKED, 'proceed2')],
    ['has no message of the loop', question(ASKED, 'proceed', null)],
    ['has a further argument', question({ ...ASKED, command: 'rm -rf /' })],
    ['has no words', question({ action_type: 'delete' })],
  ])('is no other call: one that %s', (_, opened) => {
    expect(permissionQuestion(opened)).toBeNull()
    expect(cardVerbs(opened)).toEqual({ approve: 'Approve', reject: 'Reject' })
  })
})

describe('the card of an undo', () => {
  const part = {
    kind: 'diff',
    path: '/p/a',
    change: 'overwrite',
    hunks: [],
    added: 0,
    removed: 0,
    folded: 0,
    notes: [],
  } as const
  const undo = (args: object, tool = 'undo') =>
    openedView({ tool, args: args as never, preview: { kind: 'own', parts: [part], notes: [] } })
  const args = { plan: 'c', restore: ['/p/a'] }

  it('says Undo and Cancel, and hides only paths that it draws', () => {
    const opened = undo(args)
    expect(cardVerbs(opened)).toEqual({ approve: 'Undo', reject: 'Cancel' })
    expect(isDrawnByUndo(opened, 'restore', ['/p/a'])).toBe(true)
    expect(isDrawnByUndo(opened, 'restore', ['/p/a', '/p/b'])).toBe(false)
    expect(isDrawnByUndo(opened, 'note', ['/p/a'])).toBe(false)
    expect(isDrawnByUndo(undo(args, 'delete_file'), 'restore', ['/p/a'])).toBe(false)
  })

  it('names its calls in short and hides its plan, and draws anything else as JSON', () => {
    const opened = undo({ ...args, calls: ['a1', 'b2'] })
    expect(undoFacts(opened)).toEqual([['calls', 'undoes', '2 calls: a1, b2']])
    const long = undo({ ...args, calls: ['47f62d33a1b2c3d4e5f60718293a4b5c'] })
    expect(undoFacts(long)).toEqual([['calls', 'undoes', 'call 47f62d33']])
    expect(isDrawnByUndo(opened, 'plan', 'c')).toBe(true)
    expect(isDrawnByUndo(opened, 'plan', { c: 1 })).toBe(false)
    expect(isDrawnByUndo(opened, 'calls', ['a1', 'b2'])).toBe(true)
    for (const calls of [['a1, b2'], ['a1', 7], [], 'a1', [['a1']]]) {
      const odd = undo({ ...args, calls })
      expect(isDrawnByUndo(odd, 'calls', calls as never), JSON.stringify(calls)).toBe(false)
    }
    expect(undoFacts(undo({ ...args, calls: ['a1'] }, 'delete_file'))).toEqual([])
  })
})
