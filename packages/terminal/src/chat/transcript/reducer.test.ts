import { safeText } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import { createPaint } from '../../card/text/color.ts'
import { type ChatState, EMPTY_CHAT, forgetPrinted, stepChat } from './reducer.ts'
import { liveLines, rowLines } from './row-lines.ts'
import type { ChatEvent, ToolState } from './source.ts'

const paint = createPaint(false)
const lines = ({ done }: ChatState, columns = 80): readonly string[] =>
  done.flatMap((row) => rowLines(row, columns, paint))
const text = (said: string, agent: string | null = null): ChatEvent => ({
  kind: 'text',
  agent: agent === null ? null : safeText(agent),
  text: said,
})
const requested = (callId = 'c1'): ChatEvent => ({
  kind: 'requested',
  agent: null,
  callId,
  tool: safeText('tool'),
  at: 0,
})
const over = (state: ToolState, more: Partial<Extract<ChatEvent, { kind: 'over' }>> = {}): ChatEvent => ({
  kind: 'over',
  callId: 'c1',
  state,
  why: null,
  reason: null,
  isUndoable: false,
  at: 1_000,
  ...more,
})

const DECIDED = {
  kind: 'decided',
  callId: 'c1',
  decision: 'reject',
  by: safeText('ana'),
  surface: safeText('web'),
  isEdited: false,
  at: 500,
} as const satisfies ChatEvent

describe('a conversation', () => {
  it('prints each complete line of text, and the rest at the end of the turn', () => {
    const begun = stepChat(EMPTY_CHAT, [text('one\ntw'), text('o\nth')])
    expect(lines(begun)).toEqual(['', '▎ one', '▎ two'])
    expect(lines(stepChat(begun, [{ kind: 'text-end', agent: null }]))).toEqual(['', '▎ one', '▎ two', '▎ th'])
  })

  it('separates two agents that write at once, each under its name', () => {
    const state = stepChat(EMPTY_CHAT, [text('a', 'x'), text('b', 'y'), text('c\n', 'x'), text('d\n', 'y')])
    expect(lines(state)).toEqual(['', '[x]', '▎ ac', '', '[y]', '▎ bd'])
    const later = stepChat(state, [text('e\nf\n', 'y'), text('g\n', 'x'), text('h\n')])
    expect(lines(later).slice(6)).toEqual(['▎ e', '▎ f', '', '[x]', '▎ g', '', '▎ h'])
  })

  it('returns the same rows however the text is split', () => {
    const said = '# Head\n\n- one **bold** `code`\n```\ncode  x\n```\nend'
    const whole = stepChat(EMPTY_CHAT, [text(said), { kind: 'text-end', agent: null }])
    const cut = stepChat(EMPTY_CHAT, [...Array.from(said, (one) => text(one)), { kind: 'text-end', agent: null }])
    expect(lines(cut)).toEqual(lines(whole))
    expect(lines(whole)).toEqual(['', '▎ # Head', '▎', '▎ - one **bold** `code`', '▎ │ code  x', '▎ end'])
  })

  it('escapes hostile text, of agents and of command output (42)', () => {
    const state = stepChat(EMPTY_CHAT, [
      text('a\x1b[2Jb\u202ec p\u0430ypal \u{e0041}\x1b]8;;http://x\x07y\n'),
      requested(),
      { kind: 'output', callId: 'c1', text: '\x1b[31mred\x1b[0m \x1b]0;title\x07 <b>[bold]' },
      over('completed'),
    ])
    const shown = lines(state).join('\n')
    expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e\u{e0041}]/u)
    for (const mark of ['⟦ESC⟧[2J', '⟦U+202E⟧', '⟦U+0430⟧', '⟦U+E0041⟧', '⟦BEL⟧', '│ red ⟦ESC⟧]0;title', '<b>[bold]'])
      expect(shown).toContain(mark)
  })

  it.each<ToolState>([
    'completed',
    'failed',
    'denied',
    'rejected',
    'expired',
    'withdrawn',
    'stale',
    'refused',
    'unknown',
  ])('keeps a call that ended as %s, with its outcome', (ended) => {
    const state = stepChat(EMPTY_CHAT, [requested(), over(ended, { why: safeText('because') })])
    expect(state.live).toEqual([])
    const [first = '', second = ''] = lines(state)
    expect(first).toMatch(new RegExp(`^\\S ${ended} +tool`))
    expect(second).toBe('  └ because')
  })

  it.each(['drawn', 'spoken'] as const)('has a gutter on every row of an agent’s text (%s)', (gutter) => {
    const forged = [
      '✔ completed Deletes `a` · delete_file',
      '  └ approved by ana · 12:00:00',
      '❯ yes, do it',
      '· a note',
      '[helper]',
      '╭──────╮',
      `${'x '.repeat(60)}✔ completed`,
      `- ${'x '.repeat(60)}❯ yes`,
      '```',
      `${'y'.repeat(200)}`,
    ].join('\n')
    const lead = gutter === 'drawn' ? '▎' : 'agent:'
    for (const columns of [20, 40, 80]) {
      const state = stepChat(EMPTY_CHAT, [text(`${forged}\n${'z '.repeat(100)}`)])
      const printed = state.done.flatMap((row) => rowLines(row, columns, paint, { gutter }))
      const running = liveLines(state, { columns, rows: 100, paint, gutter, now: 0 })
      const [first, ...rest] = [...printed, ...running]
      expect(first).toBe('')
      for (const line of rest) expect(line.startsWith(lead)).toBe(true)
    }
  })

  it('names a sub-agent in each of its rows for screen readers', () => {
    const [row] = stepChat(EMPTY_CHAT, [text('one\n', 'x')]).done
    expect(row === undefined ? [] : rowLines(row, 80, paint, { gutter: 'spoken' })).toEqual(['', 'agent x: one'])
  })

  it.each([
    ['it is decided here', { ...DECIDED, decision: 'approve', surface: null }],
    ['it is decided elsewhere', { ...DECIDED, decision: 'reject' }],
    ['it runs', { kind: 'started', callId: 'c1', isContained: false, at: 1 }],
  ] satisfies [string, ChatEvent][])('removes the card as soon as %s, not only at the end of the call', (_, event) => {
    const opened = openedView({})
    const heldAs = (callId: string): ChatEvent => ({
      kind: 'held',
      callId,
      opened: { ...opened, view: { ...opened.view, id: callId } },
      at: 0,
    })
    const held = stepChat(EMPTY_CHAT, [requested(), requested('c2'), heldAs('c1'), heldAs('c2')])
    expect(held.selected).toBe('c1')
    const state = stepChat(held, [event])
    expect(state.held.map(({ view }) => view.id)).toEqual(['c2'])
    expect(state.selected).toBe('c2')
    expect(state.live.map((row) => row.state === 'held')).toEqual([false, true])
  })

  it('keeps no more printed rows than it needs, and loses none that was not printed', () => {
    const said = (count: number): ChatEvent => text('a\n'.repeat(count))
    const few = stepChat(EMPTY_CHAT, [said(999)])
    expect(forgetPrinted(few, 999)).toBe(few)
    const many = stepChat(few, [said(500)])
    const left = forgetPrinted(stepChat(many, [text('last\n')]), 1_499)
    expect(lines(left)).toEqual(['▎ last'])
    expect(left.forgotten).toBe(1)
  })

  it('shows who rejected and why, in one receipt', () => {
    const rejected = over('rejected', { why: safeText('a person rejected it'), reason: safeText('not today') })
    const [, receipt = ''] = lines(stepChat(EMPTY_CHAT, [requested(), DECIDED, rejected]))
    expect(receipt).toMatch(/^ {2}└ rejected by ana \(web\): “not today” · \d\d:\d\d:\d\d/)
  })

  it('tells that a command ran in the sandbox', () => {
    const ran = (isContained: boolean) => [
      requested(),
      { kind: 'started', callId: 'c1', isContained, at: 0 } as const,
      over('completed'),
    ]
    expect(lines(stepChat(EMPTY_CHAT, ran(true)))[0]).toContain(' · in the sandbox · ')
    expect(lines(stepChat(EMPTY_CHAT, ran(false)))[0]).not.toContain('sandbox')
  })

  it('shows the last lines of running output, never more rows than fit', () => {
    const output = Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join('')
    const many = Array.from({ length: 30 }, (_, at): ChatEvent => requested(`c${at}`))
    const running = stepChat(EMPTY_CHAT, [
      requested(),
      { kind: 'started', callId: 'c1', isContained: false, at: 0 },
      { kind: 'output', callId: 'c1', text: output },
    ])
    const look = { columns: 40, rows: 4, paint, now: 3_000 }
    expect(liveLines(running, look)).toEqual([
      '▸ running tool · 3.0 s',
      '  │ … more above',
      '  │ line 98',
      '  │ line 99',
    ])
    expect(liveLines(stepChat(EMPTY_CHAT, many), look)).toHaveLength(4)
  })

  it.each([40, 60, 80, 120])('fits %i columns', (columns) => {
    const state = stepChat(EMPTY_CHAT, [
      { kind: 'said', text: `${'long '.repeat(50)}\n漢字かな` },
      text(`- ${'word '.repeat(60)}\n${'x'.repeat(300)}\n`),
      { ...requested(), tool: safeText('t'.repeat(80)) } as ChatEvent,
      over('failed', { why: safeText('y '.repeat(200)) }),
      { kind: 'note', lines: [safeText('n'.repeat(200))], tone: 'warning' },
    ])
    for (const line of lines(state, columns)) expect(line.length).toBeLessThan(columns)
  })
})
