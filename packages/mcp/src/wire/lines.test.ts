import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitLines, writeLines } from './lines.ts'

const LONG = 'too long'

/** Pushes bytes, split at these positions, and returns the lines. */
function linesOf(bytes: Buffer, cuts: readonly number[], most = 1000): readonly string[] {
  const seen: string[] = []
  const lines = splitLines(most, {
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
  it('are the same however the bytes are split, even inside a character', () => {
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

  it('that are too long are reported and dropped, and the next is complete again', () => {
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

/** A reader that inspects its input only later. */
function slowReader() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, chunks, text: () => Buffer.concat(chunks).toString('latin1') }
}

function cut(chunk: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  splitLines(1000, { line: (line) => found.push(line), tooLong() {} }).push(chunk)
  return found
}

describe('messages written as lines', () => {
  it('do not use the byte after them as their line feed if it belongs to another', () => {
    const memory = Buffer.from('{"a":1}\n{"b":2}')
    const reader = slowReader()
    writeLines(reader.stream, [memory.subarray(0, 7)])
    memory.write('x', 7, 'latin1')
    expect(reader.text()).toBe('{"a":1}\n')
  })

  it('are not copied if they arrived as a line', () => {
    const chunk = Buffer.from('{"a":1}\n\n{"b":2}\n{"half')
    const reader = slowReader()
    for (const line of cut(chunk)) writeLines(reader.stream, [line])
    expect(reader.text()).toBe('{"a":1}\n{"b":2}\n')
    expect(reader.chunks.map(({ buffer }) => buffer === chunk.buffer)).toEqual([true, true])
  })

  it('are complete however they arrived, and together', () => {
    const lines = cut(Buffer.from('{"a":1}\n{"b":2}\n'))
    const reader = slowReader()
    writeLines(reader.stream, [...lines, Buffer.from('{"c":3}'), Buffer.from('x'.repeat(70_000))])
    expect(reader.text()).toBe(`{"a":1}\n{"b":2}\n{"c":3}\n${'x'.repeat(70_000)}\n`)
  })
})
