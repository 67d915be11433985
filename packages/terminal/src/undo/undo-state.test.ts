import { describe, expect, it } from 'vitest'
import type { Key } from '../card/keys/key.ts'
import { pickedIn, START, stepUndoList, type UndoListStep } from './undo-state.ts'

const text = (letter: string): Key => ({ kind: 'text', text: letter })
const ENTER: Key = { kind: 'enter' }

/** Presses keys in a list of five calls. */
function press(...keys: readonly Key[]): UndoListStep {
  let step: UndoListStep = { kind: 'stay', state: START }
  for (const key of keys) if (step.kind === 'stay') step = stepUndoList(step.state, key, 5, 10)
  return step
}

describe('the list of calls to undo', () => {
  it.each<[string, readonly Key[], readonly number[]]>([
    ['the last call with Enter alone', [], [0]],
    ['the call at the cursor', [text('j'), text('j')], [2]],
    ['marked calls, not the one at the cursor', [text('j'), text(' '), text('j'), text('j'), text(' ')], [1, 3]],
    ['everything since a call', [text('j'), text('j'), text('s')], [0, 1, 2]],
    ['no further than the ends', [text('k'), ...Array.from({ length: 9 }, () => text('j'))], [4]],
    ['a call whose mark was removed', [text(' '), text(' '), text('j')], [1]],
  ])('picks %s', (_, keys, picked) => {
    expect(press(...keys, ENTER)).toEqual({ kind: 'pick', picked })
  })

  it('leaves without picking on Esc, q and Ctrl-C', () => {
    for (const key of [{ kind: 'escape' }, { kind: 'interrupt' }, text('q')] as const)
      expect(press(text(' '), key)).toEqual({ kind: 'leave' })
  })

  it('scrolls the diff, and starts at its top for another call', () => {
    const down = press(text('d'), text('d'), text('u'))
    expect(down).toMatchObject({ kind: 'stay', state: { top: 10, at: 0 } })
    expect(press(text('d'), text('j'))).toMatchObject({ state: { top: 0, at: 1 } })
    expect(pickedIn(START)).toEqual([0])
  })
})
