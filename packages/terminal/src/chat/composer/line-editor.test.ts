import { safeText } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeKeys } from '../../card/keys/key.ts'
import { createPaint } from '../../card/text/color.ts'
import { type ComposerState, EMPTY_COMPOSER, stepComposer, textOf } from './line-editor.ts'
import { composerLines } from './lines.ts'

const look = { columns: 40, rows: 3, paint: createPaint(false), hint: safeText('say something'), isAway: false }

/** Types chunk by chunk; returns the sent lines and the rest. */
function typed(...chunks: readonly string[]): { readonly sent: readonly string[]; readonly state: ComposerState } {
  let state = EMPTY_COMPOSER
  const sent: string[] = []
  for (const chunk of chunks) {
    const step = stepComposer(state, decodeKeys(chunk), true)
    state = step.state
    if (step.sent !== null) sent.push(step.sent)
  }
  return { sent, state }
}

describe('the composer', () => {
  it.each([
    ['sends a line', ['hello', '\r'], ['hello']],
    ['sends a line that arrives in one chunk with its Enter', ['hello there\r'], ['hello there']],
    ['sends no blank lines', ['   ', '\r'], []],
    ['erases and clears', ['helk\x7flo', '\r', 'gone\x15kept', '\r'], ['hello', 'kept']],
    ['inserts in the middle', ['held\x1b[D', 'lo wor', '\r'], ['hello word']],
    ['starts a new line after a backslash, and with Alt', ['a\\', '\r', 'b', '\x1b\r', 'c', '\r'], ['a\nb\nc']],
    ['recalls sent lines', ['one', '\r', 'two', '\r', '\x1b[A', '\x1b[A', '\r'], ['one', 'two', 'one']],
    ['keeps a paste unchanged', ['\x1b[200~x\ny\x1b[201~', '!', '\r'], ['x\ny!']],
    ['treats several lines without brackets as a paste', ['x\ry\rz', '\r'], ['x\ry\rz'.replaceAll('\r', '\n')]],
  ])('%s', (_, chunks, sent) => {
    expect(typed(...chunks).sent).toEqual(sent)
  })

  it('shows a long paste by its length and sends every character', () => {
    const long = 'word '.repeat(2_000)
    const { state } = typed('see: ', `\x1b[200~${long}\x1b[201~`)
    expect(composerLines(state, look)).toEqual(['❯ see: [pasted 10,000 characters]▏'])
    expect(textOf(state.cells)).toBe(`see: ${long}`)
    expect(textOf(stepComposer(state, decodeKeys('\x7f'), true).state.cells)).toBe('see: ')
  })

  it('keeps the line if nothing can be sent', () => {
    const { state } = typed('yes')
    expect(stepComposer(state, decodeKeys('\r'), false)).toEqual({ state, sent: null })
  })

  it('never shows more rows than it has, and always the cursor', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('\x1b[D', '\x1b[C', '\\', '\r', '\x7f', '漢字')), {
          maxLength: 40,
        }),
        (chunks) => {
          const { state } = typed(...chunks.filter((chunk) => !chunk.startsWith('\x1b[2')))
          const lines = composerLines(state, look)
          expect(lines.length).toBeLessThanOrEqual(look.rows)
          expect(lines.join('\n')).toContain('▏')
        },
      ),
    )
  })

  it('escapes terminal control characters', () => {
    const { state } = typed('\x1b[200~a\x1b]0;x\x07b\u202e\x1b[201~')
    expect(composerLines(state, { ...look, columns: 80 }).join('')).toBe('❯ a⟦ESC⟧]0;x⟦BEL⟧b⟦U+202E⟧▏')
  })
})
