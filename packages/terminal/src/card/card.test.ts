import { safeLines } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cardLines } from './card.ts'
import { detailLines } from './details.ts'
import { createPaint } from './text/color.ts'

const plain = createPaint(false)
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/

function card(given: Parameters<typeof openedView>[0], columns = 80): readonly string[] {
  return cardLines(openedView(given), { columns, paint: plain })
}

function command(text: string): Parameters<typeof openedView>[0] {
  return {
    args: { command: text },
    preview: { kind: 'command', command: text, folder: '/project', parts: [], targets: [], problems: [] },
  }
}

describe('a card', () => {
  it('always has the same order: header, place, command, reason, risk', () => {
    expect(card({ ...command('rm x'), agent: ['coder', 'helper'], said: 'all fine' }).join('\n')).toBe(`
▲ MEDIUM · exec · agent coder › helper
  in /project

  │ rm x

  why asked   · because
              · rule project-writes (policy.yaml:12)
  risk        · deletes files (medium)
  agent said  “all fine” (agent’s words, unverified)`)
  })

  it('shows one line of the agent’s thinking, and all of it in the details', () => {
    const opened = openedView({ ...command('rm x'), reasoning: '1. look around\n2. remove x\u202e' })
    const lines = cardLines(opened, { columns: 80, paint: plain })
    expect(lines.join('\n')).toContain('  thinking    “1. look around…” (27 characters, unverified; see the details)')
    expect(lines.join('\n')).not.toContain('remove x')
    const details = detailLines(opened, { columns: 80, paint: plain }).join('\n')
    expect(details).toContain('1. look around')
    expect(details).toContain('remove x⟦')
  })

  it('stacks labels on a narrow screen', () => {
    expect(card(command('rm x'), 46)).toContain('  why asked')
    expect(card(command('rm x'), 46)).toContain('    · rule project-writes (policy.yaml:12)')
  })

  it('shows every part of a compound command with its own level', () => {
    const parts = [
      { text: 'ls', program: 'ls', via: [], level: 'none', writes: [], redirections: [], folder: null },
      {
        text: 'rm -rf ~',
        program: 'rm',
        via: ['bash -c'],
        level: 'critical',
        writes: ['~'],
        redirections: [],
        folder: null,
      },
    ]
    const lines = card({
      preview: {
        kind: 'command',
        command: 'ls; bash -c "rm -rf ~"',
        folder: '/project',
        parts,
        targets: [],
        problems: [],
      },
    })
    expect(lines).toContain('  runs 2      · none       ls')
    expect(lines).toContain('              ■■■ critical rm -rf ~  (through bash -c)  (changes ~)')
  })

  it('shows a change as a diff with line numbers', () => {
    const lines = card({
      args: { path: 'a.txt', content: 'one\nTWO\n', mode: 420 },
      preview: {
        kind: 'diff',
        path: 'a.txt',
        change: 'overwrite',
        added: 1,
        removed: 1,
        folded: 0,
        drawn: ['path', 'content'],
        notes: ['the mode changes'],
        hunks: [
          {
            oldStart: 9,
            newStart: 9,
            lines: [
              { kind: 'same', text: 'one' },
              { kind: 'removed', text: 'two' },
              { kind: 'added', text: 'TWO' },
            ],
          },
        ],
      },
    })
    expect(lines).toEqual(
      expect.arrayContaining([
        '  changes a.txt  +1 −1',
        '  the mode changes',
        '  │  9   one',
        '  │ 10 - two',
        '  │ 10 + TWO',
        '  with        mode: 420',
      ]),
    )
  })

  it('shows the raw arguments and the error if the preview failed (35)', () => {
    const lines = card({ args: { a: 1 }, preview: { kind: 'failed', error: 'boom', value: { a: 1 } } })
    expect(lines.join('\n')).toContain('boom')
    expect(lines).toContain('  │   "a": 1')
  })

  it('names the targets it cannot bind', () => {
    const targets = [{ given: '$FILE', real: 'unbound', type: 'other', content: 'unbound' }] as const
    expect(card({ targets }).join('\n')).toMatch(/not bound {3}`\$FILE`: a change before the call runs/)
  })

  it('shows failed checks, and that approving overrides them', () => {
    const findings = [
      { checker: 'disk', status: 'fail', message: 'nearly full', suggestion: 'free some', overridable: true },
    ] as const
    expect(card({ findings })).toEqual(
      expect.arrayContaining([
        '  checks      ✖ disk: nearly full (approving overrides this)',
        '                free some',
      ]),
    )
  })

  it('counts blank lines so that they cannot push the end out of view', () => {
    const lines = card(command(`ls${'\n'.repeat(500)}rm -rf ~`))
    expect(lines.length).toBeLessThan(20)
    expect(lines).toContain('  │ ⋯ 499 blank lines')
    expect(lines).toContain('  │ rm -rf ~')
  })

  it('shows a command in full and escaped, whatever it contains, at any width (L5, 42)', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
        fc.integer({ min: 24, max: 120 }),
        (text, columns) => {
          fc.pre(!/\n\s*\n\s*\n\s*\n/.test(text))
          const lines = card(command(text), columns)
          const shown = lines.filter((line) => line.startsWith('  │ ')).map((line) => line.slice(4).trimEnd())
          expect(shown.join('').replaceAll(' ', '')).toBe(safeLines(text).join('').replaceAll(' ', ''))
          for (const line of lines) expect(line).not.toMatch(CONTROL)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('escapes all text of agents and tools (A12)', () => {
    const evil = 'x\x1b[8m\x1b]0;t\x07\u202e\r\n\u200b'
    const opened = openedView({
      tool: evil,
      agent: [evil],
      said: evil,
      effect: evil,
      args: { [evil]: evil },
      preview: { kind: 'json', value: { [evil]: evil } },
    })
    const look = { columns: 60, paint: plain }
    for (const line of [...cardLines(opened, look), ...detailLines(opened, look)]) expect(line).not.toMatch(CONTROL)
  })
})

describe('the details', () => {
  it.each([
    ['confirm', 'medium', false],
    ['confirm', 'high', true],
    ['manual', 'low', true],
  ] as const)('at %s and %s risk show the code: %s', (supervision, risk, shown) => {
    const lines = detailLines(openedView({ supervision, risk }), { columns: 80, paint: plain })
    expect(lines.includes('  code        k7mp')).toBe(shown)
  })

  it('keep the code out of the card', () => {
    expect(
      cardLines(openedView({ supervision: 'manual', risk: 'critical' }), { columns: 80, paint: plain }).join('\n'),
    ).not.toContain('k7mp')
  })
})
