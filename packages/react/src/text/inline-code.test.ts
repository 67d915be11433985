import { describe, expect, it } from 'vitest'
import { inlineCodePieces } from './inline-code.tsx'

/** Puts code in brackets. */
const drawn = (text: string): string =>
  inlineCodePieces(text)
    .map((piece) => (piece.isName ? `[${piece.text}]` : piece.text))
    .join('')

describe('inline code', () => {
  it.each([
    ['Moves `a` to `b`', 'Moves [a] to [b]'],
    ['nothing to set apart', 'nothing to set apart'],
    ['', ''],
    ['Deletes ``a` and `b``', 'Deletes [a` and `b]'],
    ['Deletes ``` `a`` ```', 'Deletes [`a``]'],
    ['Runs `echo a very long…', 'Runs [echo a very long…]'],
    ['Runs ``echo `id` and…', 'Runs [echo `id` and…]'],
    ['Runs `a` with a lonely ` in it', 'Runs [a] with a lonely ` in it'],
    ['it`s nothing', 'it`s nothing'],
  ])('parses %j as %j', (text, pieces) => {
    expect(drawn(text)).toBe(pieces)
  })
})
