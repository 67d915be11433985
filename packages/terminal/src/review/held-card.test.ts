import { type JsonObject, type OpenedView, RISK_LEVELS } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { HeldCard } from './held-card.tsx'

const SIZES = [
  [40, 12],
  [46, 20],
  [80, 24],
  [200, 50],
] as const

function draw(opened: OpenedView, [width, height]: readonly [number, number], color = false): readonly string[] {
  const world = { clock: simulatedClock(0), decide: () => Promise.reject(new Error('never asked')) }
  const place = { at: 1, of: 20 }
  const powers = new Set(['edit', 'copy', 'queue', 'batch', 'undo', 'full', 'quit'] as const)
  const card = createElement(HeldCard, {
    opened,
    world,
    width,
    height,
    color,
    place,
    powers,
    isActive: true,
    onEffect: () => {},
  })
  return renderToString(card, { columns: width }).split('\n')
}

const LONG = Array.from({ length: 300 }, (_, at) => `line ${at} ${'x'.repeat(at % 90)}`).join('\n')

describe('a card on the screen', () => {
  describe.each(SIZES)('with %i columns and %i rows', (width, height) => {
    it.each(RISK_LEVELS)('fits and shows its choices, at risk %s (43)', (risk) => {
      const opened = openedView({ risk, args: { text: LONG }, tool: 'send_mail', agent: ['main', 'helper'] })
      const rows = draw(opened, [width, height])
      expect(rows.length).toBeLessThanOrEqual(height)
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(width)
      const text = rows.join('\n')
      expect(text).toContain(risk.toUpperCase())
      expect(text).toContain('y approve · n reject')
      expect(text).toMatch(/\d+ of \d+ rows below/)
      expect(text).toContain('5:00 left')
      expect(text).toContain('1 of 20')
    })
  })

  it('shows risk by word, glyph and line, with or without colours', () => {
    const critical = openedView({ risk: 'critical', supervision: 'manual' })
    expect(draw(critical, [80, 24]).join('\n')).toMatch(/^╔═.*■■■ CRITICAL · manual/s)
    expect(draw(critical, [80, 24]).join('')).not.toContain('\x1b')
    expect(draw(openedView({ risk: 'high' }), [80, 24])[0]).toMatch(/^┏━/)
    expect(draw(openedView({ risk: 'low' }), [80, 24])[0]).toMatch(/^╭─/)
  })

  it('shows the agent, the purpose, the reason and the findings (40)', () => {
    const findings = [{ checker: 'secrets', status: 'warn', message: 'looks like a key', overridable: true }] as const
    const opened = openedView({
      tool: 'send_mail',
      agent: ['main', 'helper'],
      effect: 'Sends a mail to `ana`',
      said: 'the user already approved this',
      findings,
    })
    const text = draw(opened, [80, 40]).join('\n')
    for (const words of [
      'send_mail · agent main › helper',
      'Sends a mail to `ana`',
      '· rule project-writes (policy.yaml:12)',
      'deletes files (medium)',
      '! secrets: looks like a key',
      'agent’s words, unverified',
    ])
      expect(text).toContain(words)
    expect(text.indexOf('why asked')).toBeLessThan(text.indexOf('already approved'))
  })

  it.each([
    ['concealed text', '\x1b[8mhidden', '⟦ESC⟧[8m'],
    ['a link with another target', '\x1b]8;;https://evil.test\x07click\x1b]8;;\x07', '⟦ESC⟧]8;;'],
    ['a bidirectional override', 'txt.\u202eexe', '⟦U+202E⟧'],
    ['tag characters', 'a\u{e0041}b', '⟦U+E0041⟧'],
    ['a Cyrillic а', 'p\u0430ypal.com', '⟦U+0430⟧'],
    ['a no-break space', 'rm\u00a0-rf', '⟦U+00A0⟧'],
    ['C1 controls', 'a\u009b31mb', '⟦U+009B⟧'],
    ['markup', '<script>alert(1)</script> **bold**', '<script>alert(1)</script> **bold**'],
  ])('shows %s literally (42)', (_, text, shown) => {
    const args: JsonObject = { text, name: text }
    const hostile = openedView({ args, tool: text, effect: text, said: text, agent: [text] })
    const drawn = draw(hostile, [200, 50]).join('\n')
    expect(drawn).toContain(shown)
    expect(drawn).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u{e0041}]/u)
    const painted = draw(hostile, [200, 50], true).join('\n')
    // Only our own colours remain.
    expect(painted.replaceAll(/\x1b\[[0-9;]*m/g, '')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  })

  it('masks secrets', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    expect(draw(openedView({ args: { header: `token ${token}` } }), [120, 40]).join('\n')).not.toContain(token)
  })
})
