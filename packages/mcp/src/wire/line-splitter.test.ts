import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLines } from './line-splitter.ts'

const LONG = 'too long'

/** Pushes bytes, cut at these places, and gives the lines that came out. */
function linesOf(bytes: Buffer, cuts: readonly number[], most = 1000): readonly string[] {
  const seen: string[] = []
  const lines = createLines(most, {
    line: (line) => seen.push(line.toString('latin1')),
    tooLong: () => seen.push(LONG),
  })
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b)
  places.forEach((from, at) => {
    lines.push(bytes.subarray(from, places[at + 1] ?? bytes.length))
  })
  lines.end()
  return seen
}

const text = fc.array(fc.constantFrom('a', '{"b":1}', '\r', 'é', '\n', '\n\n', 'x'.repeat(30)), { maxLength: 30 })

describe('lines of a stream', () => {
  it('are the same however the bytes are cut, also inside a character', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const expected = bytes
          .toString('latin1')
          .split('\n')
          .filter((line) => line !== '')
        expect(linesOf(bytes, cuts)).toEqual(expected)
      }),
    )
  })

  it('that are too long are told and let go, and the next is whole again', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const expected = bytes
          .toString('latin1')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => (line.length > 25 ? LONG : line))
        expect(linesOf(bytes, cuts, 25)).toEqual(expected)
      }),
    )
  })
})
