import type { Preview } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import { cardLines } from '../card.ts'
import { createPaint } from '../text/color.ts'

function card(parts: Extract<Preview, { kind: 'own' }>['parts'], color = false, args: object = { to: 'ana' }): string {
  const opened = openedView({ preview: { kind: 'own', parts, notes: [] }, args: args as never, tool: 'send' })
  return cardLines(opened, { columns: 80, paint: createPaint(color) }).join('\n')
}

describe('a tool’s own preview in the terminal', () => {
  it('draws a table in columns, and every argument beside it', () => {
    const text = card([
      {
        kind: 'table',
        columns: ['name', 'qty'],
        rows: [
          ['bread', '2'],
          ['a very long name, longer than its column', '3'],
        ],
        moreRows: 4,
        moreColumns: 0,
      },
    ])
    expect(text).toMatch(/│ name +qty\n.*│ bread +2\n/)
    expect(text).toContain('a very long name, longer than its column')
    expect(text).toContain('and 4 more rows')
    expect(text).toContain('to: "ana"')
  })

  it('names an image, draws a diff, fields and text line by line', () => {
    const hunk = {
      oldStart: 1,
      newStart: 1,
      lines: [
        { kind: 'removed', text: 'old' },
        { kind: 'added', text: 'new' },
      ],
    } as const
    const text = card([
      { kind: 'image', type: 'image/png', data: '', width: 640, height: 480, bytes: 20480, alt: 'the plan' },
      { kind: 'diff', path: 'a.txt', change: 'overwrite', hunks: [hunk], added: 1, removed: 1, folded: 0, notes: [] },
      {
        kind: 'fields',
        fields: [
          { name: 'To', value: 'ana' },
          { name: 'a name that is long', value: 1 },
        ],
      },
      { kind: 'text', text: 'one\ntwo \u001b[2J' },
    ])
    expect(text).toContain('PNG image, 640 × 480 pixels, 20 KB')
    expect(text).toContain('the plan (shown in the inbox)')
    expect(text).toMatch(/changes a.txt {2}\+1 −1\n.*1 - old\n.*1 \+ new/)
    expect(text).toMatch(/To +ana\n {2}a name that is long: 1/)
    expect(text).toMatch(/│ one\n.*│ two ⟦ESC⟧\[2J/)
  })

  it('colors JSON and leaves its text as it is', () => {
    const value = { name: 'x "y" 1', list: [1, true] }
    const plain = card([{ kind: 'json', value }])
    expect(plain).toContain('│   "name": "x \\"y\\" 1",')
    const colored = card([{ kind: 'json', value }], true)
    expect(colored).toContain('\u001b[34m"name"\u001b[0m')
    expect(colored.replace(/\u001b\[[\d;]*m/g, '')).toBe(plain)
  })
})

describe('a question of the agent in the terminal', () => {
  it('is the headline, without JSON', () => {
    const said = 'I looked at all tables. Should I delete 500 users?'
    const opened = openedView({
      tool: 'proceed',
      args: { action_type: 'delete', scope: { records: 500 }, risk_level: 'high', said },
      said,
    })
    const asked = { ...opened, view: { ...opened.view, confirmationMessage: 'Proceed lets it continue.' } }
    const text = cardLines(asked, { columns: 80, paint: createPaint(false) }).join('\n')
    expect(text).toContain('The agent asks: “Should I delete 500 users?”')
    expect(text).toContain('│ I looked at all tables. Should I delete 500 users?')
    expect(text).toContain('records: 500')
    expect(text).not.toMatch(/[{}]|agent said/)
  })
})
