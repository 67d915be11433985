import type { RulesProposal } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { decodeKeys } from '../keys/key.ts'
import type { PromptFacts } from './choice.ts'
import type { PromptEffect } from './stage.ts'
import { openPromptState, stepPrompt } from './state-machine.ts'

const always = {
  rule: { conditions: { tool: 'jot' }, words: 'every call of `jot`' },
  scope: { kind: 'tool', server: null, tool: 'jot', definition: 'd' },
  words: 'always: every call of `jot`',
  covers: 'the same',
  lasts: 'for 10 minutes',
} as const
const FACTS: PromptFacts = { act: 'one', code: 'k7mp', pages: 1, allPages: 1, grants: [always], secrets: 0 }

const ARMED = 1_000

function proposed(act: Partial<RulesProposal['act']> = {}, failing: readonly string[] = []): RulesProposal {
  return {
    act: { loosens: true, typed: false, passkey: false, ...act },
    failing,
    code: 'r2d2',
  } as RulesProposal
}

/** Types keys with long pauses; a proposal in between arrives as if the service had answered. */
function press(facts: PromptFacts, ...given: readonly (string | RulesProposal)[]) {
  let state = openPromptState(facts, 0)
  const effects: PromptEffect[] = []
  for (const [nth, one] of given.entries()) {
    const at = (nth + 1) * ARMED
    const input =
      typeof one === 'string'
        ? ({ kind: 'keys', keys: decodeKeys(one), at } as const)
        : ({ kind: 'proposed', proposal: one, at } as const)
    const step = stepPrompt(state, input, facts)
    state = step.state
    effects.push(...step.effects)
  }
  return { state, decided: effects.filter(({ kind }) => kind === 'decide') }
}

const approve = { kind: 'decide', decision: { kind: 'approve' } }

describe('“always” on a card', () => {
  it('takes three keys: g, the rule, y; the rule goes with the approval', () => {
    const proposal = proposed()
    expect(press(FACTS, 'g', '1', proposal, 'y').decided).toEqual([{ ...approve, rule: { proposal } }])
  })

  it('is not given before the rule was checked and is on the screen', () => {
    const { state, decided } = press(FACTS, 'g', '1', 'y')
    expect([decided, state.note]).toEqual([[], 'wait until the rule is checked'])
    const shown = openPromptState(FACTS, 0, { kind: 'again', grant: always })
    const arrived = stepPrompt(shown, { kind: 'proposed', proposal: proposed(), at: ARMED }, FACTS).state
    expect(stepPrompt(arrived, { kind: 'keys', keys: decodeKeys('y'), at: ARMED + 10 }, FACTS).effects).toEqual([])
  })

  it('asks for the code of the rule and a reason where it loosens manual calls', () => {
    const proposal = proposed({ typed: true })
    const rule = { proposal, code: 'r2d2', reason: 'ok' }
    const decision = { kind: 'approve', reason: 'ok' }
    const typed = ['g', '1', proposal, 'y'] as const
    expect(press(FACTS, ...typed, 'r2d2', '\r', 'ok', '\r').decided).toEqual([{ kind: 'decide', decision, rule }])
    expect(press(FACTS, ...typed, 'k7mp', '\r', 'ok', '\r').decided).toEqual([])
    expect(press(FACTS, ...typed, 'r2d2', '\r', '\r').decided).toEqual([])
  })

  it.each([
    ['only a passkey can sign it', proposed({ passkey: true }), /only a passkey/],
    ['tests of the policy would fail', proposed({}, ['test 1']), /would fail/],
  ])('is not given where %s', (_, proposal, note) => {
    const { state, decided } = press(FACTS, 'g', '1', proposal, 'y')
    expect(decided).toEqual([])
    expect(state.stage.kind).toBe('choose')
    expect(state.note).toMatch(note)
  })

  it('keeps the rule while the passphrase is typed', () => {
    const proposal = proposed()
    const sealed = { ...FACTS, sealed: true } as const
    expect(press(sealed, 'g', '1', proposal, 'y', 'secret', '\r').decided).toEqual([
      { ...approve, passphrase: 'secret', rule: { proposal } },
    ])
  })

  it('goes back to the list with the choices, then to the card, and decides nothing', () => {
    const first = press(FACTS, 'g', '1', '\x1b')
    expect([first.state.stage.kind, first.decided]).toEqual(['grant', []])
    const second = press(FACTS, 'g', '1', '\x1b', '\x1b')
    expect([second.state.stage.kind, second.decided]).toEqual(['choose', []])
  })

  it('ignores a rule that arrives after the person went back', () => {
    const { state, decided } = press(FACTS, 'g', '1', '\x1b', '\x1b', proposed(), 'y')
    expect(decided).toEqual([approve])
    expect(state.stage.kind).toBe('sent')
  })
})
