import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeKeys } from '../keys/key.ts'
import type { PromptFacts } from './choice.ts'
import { promptLine } from './line.ts'
import type { PromptEffect, PromptState } from './stage.ts'
import { openPromptState, PAINTED_MS, QUIET_MS, stepPrompt } from './state-machine.ts'

const grant = {
  grant: { scope: { kind: 'exact', grantKey: 'k' }, lifetime: { kind: 'minutes', minutes: 10 } },
  words: 'the same for 10 minutes',
  covers: 'the same',
  lasts: 'for 10 minutes',
} as const
const ONE: PromptFacts = { act: 'one', code: 'k7mp', pages: 1, allPages: 2, grants: [grant], secrets: 0 }
const TWO: PromptFacts = { ...ONE, act: 'two' }
const MANUAL: PromptFacts = { ...ONE, act: 'manual', pages: 2, grants: [] }

const ARMED = 1_000

/** Types chunks one after the other, each with a delay in milliseconds, starting when the prompt is drawn. */
function type(
  facts: PromptFacts,
  chunks: readonly (readonly [after: number, text: string])[],
): { state: PromptState; effects: readonly PromptEffect[] } {
  let state = openPromptState(facts, 0)
  let at = 0
  const effects: PromptEffect[] = []
  for (const [after, text] of chunks) {
    at += after
    const step = stepPrompt(state, { kind: 'keys', keys: decodeKeys(text), at }, facts)
    state = step.state
    effects.push(...step.effects)
  }
  return { state, effects }
}

/** The same with long pauses between keys. */
function press(facts: PromptFacts, ...keys: readonly string[]) {
  return type(
    facts,
    keys.map((key) => [ARMED, key]),
  )
}

const approve: PromptEffect = { kind: 'decide', decision: { kind: 'approve' } }
const reject: PromptEffect = { kind: 'decide', decision: { kind: 'reject' } }

describe('arming', () => {
  it.each([
    ['at the moment it is drawn', 0],
    ['just before it was shown long enough', PAINTED_MS - 1],
  ])('ignores a key %s', (_, at) => {
    expect(type(ONE, [[at, 'y']]).effects).toEqual([])
  })

  it('accepts the key after it was shown long enough', () => {
    expect(type(ONE, [[PAINTED_MS, 'y']]).effects).toEqual([approve])
  })

  it('waits for idle time: each ignored key restarts the wait', () => {
    const early = [
      [PAINTED_MS - 1, 'y'],
      [QUIET_MS - 1, 'y'],
      [QUIET_MS - 1, 'y'],
    ] as const
    expect(type(ONE, early).effects).toEqual([])
    expect(type(ONE, [...early, [QUIET_MS, 'y']]).effects).toEqual([approve])
  })

  it('ignores Esc and n too: keys typed ahead do not reject either', () => {
    expect(
      type(ONE, [
        [10, '\x1b'],
        [10, 'n'],
      ]).effects,
    ).toEqual([])
  })

  it('accepts Ctrl-C at any time', () => {
    expect(type(ONE, [[0, '\x03']]).effects).toEqual([{ kind: 'withdraw' }])
  })

  it('never decides on a burst of keys', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.integer({ min: 0, max: QUIET_MS - 1 }),
            fc.constantFrom('y', 'n', '\r', '\x1b', 'g', '1', 'd', 'r', '\t'),
          ),
          { maxLength: 60 },
        ),
        (keys) => {
          expect(type(ONE, keys).effects).toEqual([])
        },
      ),
    )
  })

  it('accepts one key at a time: pasted text decides nothing', () => {
    expect(press(ONE, 'yes').effects).toEqual([])
    expect(press(ONE, 'yes').state.note).toBe('one key at a time')
  })
})

describe('up to medium risk', () => {
  it.each([
    ['y', approve],
    ['Y', approve],
    ['\r', approve],
    ['n', reject],
  ])('%j decides at once', (key, effect) => {
    expect(press(ONE, key).effects).toEqual([effect])
  })

  it('moves the focus with Tab and arrow keys, and Enter selects', () => {
    expect(press(ONE, '\t', '\r').effects).toEqual([reject])
    expect(press(ONE, '\x1b[C', '\x1b[D', '\r').effects).toEqual([approve])
  })

  it('rejects with a reason, which can contain any letter', () => {
    const { effects } = press(ONE, 'r', 'n', 'o, yes?', '\x7f', '\r')
    expect(effects).toEqual([{ kind: 'decide', decision: { kind: 'reject', reason: 'no, yes' } }])
  })

  it('returns from the reason with Esc, and decides nothing', () => {
    const { state, effects } = press(ONE, 'r', 'hm', '\x1b')
    expect(effects).toEqual([])
    expect(state.stage.kind).toBe('choose')
  })

  it('accepts no more keys after the decision is submitted', () => {
    expect(press(ONE, 'n', 'y', 'y').effects).toEqual([reject])
  })

  it('lets the person try again if the decision was not accepted', () => {
    const sent = press(ONE, 'y').state
    const again = stepPrompt(sent, { kind: 'refused', message: 'not enrolled', at: 5_000 }, ONE)
    expect(again.state).toMatchObject({ stage: { kind: 'choose' }, note: 'not enrolled', armed: false })
  })
})

describe('high risk', () => {
  it('F4: focuses Reject, so that Enter is harmless', () => {
    expect(press(TWO, '\r').effects).toEqual([reject])
  })

  it('needs a second y, which is armed separately', () => {
    expect(press(TWO, 'y').effects).toEqual([])
    expect(
      type(TWO, [
        [ARMED, 'y'],
        [QUIET_MS, 'y'],
      ]).effects,
    ).toEqual([])
    expect(press(TWO, 'y', 'y').effects).toEqual([approve])
  })

  it.each(['n', '\x1b', '\r', 'x'])('returns to the choice if the second key is %j', (key) => {
    const { state, effects } = press(TWO, 'y', key)
    expect(effects).toEqual([])
    expect(state.stage.kind).toBe('choose')
  })

  it('never approves in fewer than two steps', () => {
    fc.assert(
      fc.property(fc.constantFrom('y', '\r', '\t', '\x1b[C', 'd', '?', 'g', '1', ' '), (key) => {
        expect(
          press(TWO, key).effects.some((effect) => effect.kind === 'decide' && effect.decision.kind === 'approve'),
        ).toBe(false)
      }),
    )
  })
})

describe('manual supervision', () => {
  const reason = 'agreed with Ana'

  it('needs the details, the code and a reason, in that order', () => {
    const { effects } = press(MANUAL, 'd', 'y', 'k7mp', '\r', reason, '\r')
    expect(effects).toEqual([
      { kind: 'page', page: 1 },
      { kind: 'decide', decision: { kind: 'approve', code: 'k7mp', reason } },
    ])
  })

  it.each([
    ['without the details', ['y', 'k7mp', '\r', reason, '\r']],
    ['with a wrong code', ['d', 'y', 'xxxx', '\r', reason, '\r']],
    ['without a reason', ['d', 'y', 'k7mp', '\r', '   ', '\r']],
  ])('does not approve %s', (_, keys) => {
    const { effects } = press(MANUAL, ...keys)
    expect(effects.filter((effect) => effect.kind === 'decide' && effect.decision.kind === 'approve')).toEqual([])
  })

  it('allows three attempts at the code', () => {
    const { state } = press(MANUAL, 'd', 'y', 'a', '\r', 'b', '\r', 'c', '\r')
    expect(state.stage.kind).toBe('choose')
  })

  it('offers no grant', () => {
    expect(press(MANUAL, 'd', 'g').state.note).toMatch(/a grant would change nothing/)
  })
})

describe('Esc', () => {
  it.each([
    ['up to medium risk', ONE],
    ['at high risk', TWO],
    ['under manual supervision', MANUAL],
  ])('never decides %s, and names the key that rejects (41)', (_, facts) => {
    const { effects, state } = press(facts, '\x1b', '\x1b')
    expect(effects).toEqual([])
    expect(state.stage.kind).toBe('choose')
    expect(state.note).toBe('Esc decides nothing; press n to reject')
  })

  it('shows the code beside its field', () => {
    const { state } = press(MANUAL, 'd', 'y')
    expect(promptLine(state, 60_000, MANUAL).ask).toBe('type k7mp to approve:')
  })
})

describe('a call of many pages', () => {
  const long: PromptFacts = { ...ONE, pages: 3, allPages: 4 }

  it('cannot be approved before its end was printed', () => {
    const { effects, state } = press(long, 'y', 'd', 'y')
    expect(effects).toEqual([{ kind: 'page', page: 1 }])
    expect(state.note).toBe('read to the end first: press d (2 of 3 shown)')
    expect(press(long, 'd', 'd', 'y').effects.at(-1)).toEqual(approve)
  })

  it('F3: n rejects, at any time', () => {
    expect(press(long, 'n').effects).toEqual([reject])
  })
})

describe('a grant', () => {
  it('is spelled out, and given only after another y', () => {
    const { effects } = press(ONE, 'g', '1', 'y')
    expect(effects).toEqual([
      { kind: 'grants' },
      { kind: 'grant', choice: grant },
      { kind: 'decide', decision: { kind: 'approve', grant: grant.grant } },
    ])
  })

  it('is not given by keys in quick succession', () => {
    expect(
      type(ONE, [
        [ARMED, 'g'],
        [50, '1'],
        [50, 'y'],
        [50, 'y'],
      ]).effects.some((effect) => effect.kind === 'decide'),
    ).toBe(false)
  })

  it('returns on Esc, and reports an unknown number', () => {
    expect(press(ONE, 'g', '\x1b').state.stage.kind).toBe('choose')
    expect(press(ONE, 'g', '7').state.note).toMatch(/key from 1 to 1/)
  })
})

describe('a sealed key', () => {
  const SEALED: PromptFacts = { ...ONE, sealed: true }
  const opening = (decision: object, passphrase: string) => ({ kind: 'decide', decision, passphrase })

  /** Types, and refuses every passphrase. */
  function wrong(...passphrases: readonly string[]) {
    let { state } = press(SEALED, 'y')
    const effects: PromptEffect[] = []
    let at = ARMED
    for (const passphrase of passphrases) {
      at += ARMED
      const keys = decodeKeys(`${passphrase}\r`)
      for (const input of [{ kind: 'keys', keys, at } as const, { kind: 'locked', at } as const]) {
        const step = stepPrompt(state, input, SEALED)
        state = step.state
        effects.push(...step.effects)
      }
    }
    return { state, effects }
  }

  it.each([
    ['an approval', ['y'], { kind: 'approve' }],
    ['a rejection', ['n'], { kind: 'reject' }],
    ['a rejection with its reason', ['r', 'too late', '\r'], { kind: 'reject', reason: 'too late' }],
    ['a grant', ['g', '1', 'y'], { kind: 'approve', grant: grant.grant }],
  ])('asks for its passphrase before %s is submitted', (_, keys, decision) => {
    const { state, effects } = press(SEALED, ...keys)
    expect(state.stage).toMatchObject({ kind: 'passphrase', decision, text: '' })
    expect(effects.filter(({ kind }) => kind === 'decide')).toEqual([])
    expect(press(SEALED, ...keys, 'correct horse', '\r').effects.at(-1)).toEqual(opening(decision, 'correct horse'))
  })

  it('accepts only Ctrl-C while the passphrase is checked', () => {
    expect(press(SEALED, 'y', 'x', '\r', 'y', '\r').effects).toEqual([opening({ kind: 'approve' }, 'x')])
    expect(press(SEALED, 'y', 'x', '\r', '\x03').effects.at(-1)).toEqual({ kind: 'withdraw' })
  })

  it('does not use text pasted into another field as its passphrase', () => {
    const { state } = press(SEALED, 'r', 'reason\rsecret\r')
    expect(state.stage).toMatchObject({ kind: 'passphrase', text: '' })
  })

  it('returns on Esc, and stays if nothing was typed', () => {
    expect(press(SEALED, 'y', 'x', '\x1b')).toMatchObject({ state: { stage: { kind: 'choose' } }, effects: [] })
    expect(press(SEALED, 'y', '\r')).toMatchObject({ state: { stage: { kind: 'passphrase' } }, effects: [] })
  })

  it('gives up after three wrong passphrases, and decides nothing', () => {
    expect(wrong('a').state).toMatchObject({
      stage: { kind: 'passphrase', text: '' },
      note: expect.stringMatching(/2 tries left/),
    })
    expect(wrong('a', 'b').state.note).toMatch(/1 try left/)
    const { state, effects } = wrong('a', 'b', 'c')
    expect(state.stage).toEqual({ kind: 'sent' })
    expect(effects.at(-1)).toEqual({ kind: 'give-up' })
  })
})

describe('a call that needs a passkey', () => {
  const PASSKEY: PromptFacts = { ...ONE, grants: [], passkey: true }

  it.each(['y', 'g', '\t\r'])('is not approved by %j, and says where to approve it', (keys) => {
    const { state, effects } = press(PASSKEY, ...keys)
    expect(effects).not.toContainEqual(approve)
    if (keys !== '\t\r') expect(state.note).toMatch(/in the inbox/)
  })

  it.each(['n', '\r'])('can be rejected here with %j', (key) => {
    expect(press(PASSKEY, key).effects).toEqual([reject])
  })
})
