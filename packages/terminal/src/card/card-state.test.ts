import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CardFacts, type CardInput, type CardState, openCardState, stepCard } from './card-state.ts'
import { decodeKeys } from './keys/key.ts'
import type { PromptFacts } from './prompt/choice.ts'

const GRANT = {
  grant: { scope: { kind: 'exact', grantKey: 'k' }, lifetime: { kind: 'uses', uses: 3 } },
  words: 'that',
  covers: 'the same',
  lasts: 'for 10 minutes',
} as const

function facts(given: Partial<CardFacts> = {}): CardFacts {
  const base: PromptFacts = { act: 'one', code: 'k7mp', pages: 40, allPages: 40, grants: [GRANT], secrets: 0 }
  return { ...base, rows: 40, window: 10, powers: new Set(['edit', 'queue', 'copy', 'quit']), ...given }
}

/** Plays chunks of keys, a second apart, on a card that is already armed. */
function play(chunks: readonly (string | CardInput)[], given: Partial<CardFacts> = {}) {
  const card = facts(given)
  let state: CardState = openCardState(card, 0)
  const effects: unknown[] = []
  let at = 1_000
  for (const chunk of chunks) {
    const input: CardInput = typeof chunk === 'string' ? { kind: 'keys', keys: decodeKeys(chunk), at } : chunk
    const step = stepCard(state, input, card)
    state = step.state
    effects.push(...step.effects)
    at += 1_000
  }
  return { state, effects }
}

const READ = [' ', ' ', ' ', ' ']
const LAID = { kind: 'laid', read: 0, top: 0 } as const
const APPROVED = { kind: 'decide', decision: { kind: 'approve' } }
const REJECTED = { kind: 'decide', decision: { kind: 'reject' } }

describe('a scrolling card', () => {
  it('can be approved only after its end was visible', () => {
    expect(play(['y']).state.prompt.note).toContain('read to the end first')
    expect(play(['y', ' ', ' ', ' ', 'y']).effects).toEqual([])
    expect(play([' ', ' ', ' ', ' ', 'y']).effects).toEqual([APPROVED])
    expect(play([...Array(30).fill('\x1b[B'), 'y']).effects).toEqual([APPROVED])
  })

  it('cannot be approved if its middle was skipped, and continues reading there (A14)', () => {
    expect(play(['\x1b[F', 'y']).effects).toEqual([])
    expect(play(['\x1b[F', 'y']).state.prompt.note).toContain('10 of 40')
    expect(play([' ', '\x1b[F', ' ']).state.top).toBe(19)
    expect(play(['\x1b[F', '\x1b[H', '\x1b[F', 'y']).effects).toEqual([])
    expect(play(['\x1b[F', ' ', ' ', ' ', ' ', 'y']).effects).toEqual([APPROVED])
    expect(play(['\x1b[F', 'y'], { pages: 0 }).effects).toEqual([APPROVED])
  })

  it('rejects at once, read or not', () => {
    expect(play(['\x1b']).effects).toEqual([])
    expect(play(['n']).effects).toEqual([REJECTED])
  })

  it.each([
    ['d', 9],
    [' ', 9],
    ['\x1b[6~', 9],
    ['\x1b[B', 1],
    ['\x1b[F', 30],
    ['\x1b[H', 0],
    ['\x1b[A', 0],
  ])('scrolls by %j to row %i', (key, top) => {
    expect(play([key]).state.top).toBe(top)
  })

  it('moves the focus with the arrow keys if there is nothing to scroll', () => {
    expect(play(['\x1b[B'], { rows: 5, pages: 5 }).state.prompt.focus).toBe('reject')
    expect(play(['\t']).state.prompt.focus).toBe('reject')
  })

  it('shows the details after its end', () => {
    expect(play([...READ, 'd']).state.details).toBe(true)
    expect(play(['\x1b[F', 'd']).state).toMatchObject({ details: false, top: 10 })
  })

  it('keeps the reading position when the window changes, and requires the unread rest', () => {
    const narrow = facts({ rows: 90, pages: 90, window: 5 })
    const laid = { kind: 'laid', read: 30, top: 20 } as const
    const read = stepCard(play(READ).state, laid, narrow).state
    expect([read.prompt.read, read.top]).toEqual([90, 20])
    const begun = stepCard(openCardState(facts(), 0), laid, narrow).state
    expect([begun.prompt.read, begun.top]).toEqual([30, 20])
    const wide = stepCard(openCardState(facts(), 0), { kind: 'laid', read: 3, top: 30 }, facts({ rows: 12, pages: 12 }))
    expect([wide.state.prompt.read, wide.state.top]).toEqual([12, 2])
    const jumped = stepCard(openCardState(facts(), 0), { kind: 'laid', read: 3, top: 30 }, facts())
    expect([jumped.state.prompt.read, jumped.state.top]).toEqual([3, 30])
  })

  it('cannot be approved while another page is open', () => {
    const small = { rows: 5, pages: 5 }
    expect(play(['?', 'y'], small).effects).toEqual([])
    expect(play(['x', '\r'], small).effects).toEqual([])
    expect(play(['x', '\x1b', 'y'], small).effects).toEqual([APPROVED])
  })

  it('offers only the actions its place supports', () => {
    expect(play(['e', 'j', 'k', 'c', 'q']).effects).toEqual([
      { kind: 'edit' },
      { kind: 'queue', by: 1 },
      { kind: 'queue', by: -1 },
      { kind: 'copy' },
      { kind: 'quit' },
    ])
    expect(play(['e', 'j', 'q'], { powers: new Set() }).effects).toEqual([])
  })

  it('approves nothing before hidden secrets were shown and read again (A14)', () => {
    const hidden = { secrets: 2, mustReveal: true, pages: 40 } as const
    const early = play([...READ, 'y'], hidden)
    expect(early.effects).toEqual([])
    expect(early.state.prompt.note).toBe('show the 2 hidden secrets first: press v')
    const shown = play([...READ, 'v', LAID, 'y'], hidden)
    expect(shown.state).toMatchObject({ revealed: true, top: 0, end: false })
    expect(shown.effects).toEqual([])
    expect(play([...READ, 'v', LAID, ...READ, 'y'], hidden).effects).toEqual([APPROVED])
    expect(play(['v', LAID, 'v', LAID, ...READ, 'y'], hidden).effects).toEqual([APPROVED])
  })

  it('reveals secrets only if there are any', () => {
    expect(play(['v']).state.revealed).toBe(false)
    expect(play(['v'], { secrets: 1 }).state.revealed).toBe(true)
    expect(play(['v', 'v'], { secrets: 1 }).state.revealed).toBe(false)
  })
})

describe('edited arguments', () => {
  const edited: CardInput = { kind: 'edited', args: { command: 'ls' }, at: 2_000 }
  const small = { rows: 5, pages: 5 }

  it('are part of the approval, without a grant for other arguments (47)', () => {
    const opened = openCardState(facts(small), 0)
    const step = stepCard(stepCard(opened, edited, facts(small)).state, LAID, facts(small))
    const keys = { kind: 'keys', keys: decodeKeys('y'), at: 9_000 } as const
    expect(stepCard(step.state, keys, facts(small)).effects).toEqual([
      { kind: 'decide', decision: { kind: 'approve', edited: { command: 'ls' } } },
    ])
    const granted = {
      ...step.state,
      prompt: { ...step.state.prompt, stage: { kind: 'again', grant: GRANT }, armed: true },
    } as const
    expect(stepCard(granted, keys, facts(small)).effects).toEqual([
      { kind: 'decide', decision: { kind: 'approve', edited: { command: 'ls' } } },
    ])
  })

  it('must be shown, and the card re-arms', () => {
    const read = play(READ).state
    const { state } = stepCard(read, edited, facts())
    expect(state).toMatchObject({ top: 0, end: false, prompt: { armed: false, read: 0 } })
    expect(stepCard(state, { kind: 'keys', keys: decodeKeys('y'), at: 2_100 }, facts()).effects).toEqual([])
  })

  it('are not part of a rejection', () => {
    expect(play([edited, LAID, 'n'], small).effects).toEqual([REJECTED])
  })
})

describe('pasting into a card', () => {
  const small = { rows: 5, pages: 5 }

  it('never approves, however short', () => {
    expect(play(['\x1b[200~y\x1b[201~', '\x1b[200~\r\x1b[201~'], small).effects).toEqual([])
  })

  it('without bracketed paste disarms the card, so that the last character decides nothing', () => {
    const card = facts(small)
    const first = stepCard(
      openCardState(card, 0),
      { kind: 'keys', keys: decodeKeys('y'.repeat(4096)), at: 1_000 },
      card,
    )
    expect(first.effects).toEqual([])
    const last = stepCard(first.state, { kind: 'keys', keys: decodeKeys('y'), at: 1_010 }, card)
    expect(last.effects).toEqual([])
  })

  it('fills a field with one line, up to a limit, and ignores Enter in it', () => {
    const { state, effects } = play(['r', `\x1b[200~${'long\nreason\r'.repeat(1_000)}\x1b[201~`], small)
    expect(effects).toEqual([])
    const { stage } = state.prompt
    expect(stage.kind === 'reason' && stage.text.length).toBe(500)
    expect(stage.kind === 'reason' && /[\r\n]/.test(stage.text)).toBe(false)
  })
})

describe('typing ahead', () => {
  it('never decides: keys count only after the card was shown for 600 ms and idle for 250 ms', () => {
    const keys = fc.constantFrom('y', '\r', 'n', '\x1b', ' ', 'd', 'g', '1', 'e', '\t', 'yy')
    const typed = fc.array(fc.tuple(keys, fc.integer({ min: 1, max: 249 })), { maxLength: 20 })
    fc.assert(
      fc.property(typed, (chunks) => {
        const card = facts({ rows: 5, pages: 5 })
        let state = openCardState(card, 0)
        let at = 0
        for (const [chunk, after] of chunks) {
          at += after
          const step = stepCard(state, { kind: 'keys', keys: decodeKeys(chunk), at }, card)
          expect(step.effects).toEqual([])
          state = step.state
        }
      }),
    )
  })
})
