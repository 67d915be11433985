import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLines } from './line-splitter.ts'
import { writeLines } from './write-buffer.ts'

/** A reader that looks at what it was given only later. */
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
  createLines(1000, { line: (line) => found.push(line), tooLong() {} }).push(chunk)
  return found
}

describe('messages that are written as lines', () => {
  it('do not take the byte behind them for their line feed when it is somebody else’s', () => {
    const memory = Buffer.from('{"a":1}\n{"b":2}')
    const reader = slowReader()
    writeLines(reader.stream, [memory.subarray(0, 7)])
    memory.write('x', 7, 'latin1')
    expect(reader.text()).toBe('{"a":1}\n')
  })

  it('are not copied when they came as a line', () => {
    const chunk = Buffer.from('{"a":1}\n\n{"b":2}\n{"half')
    const reader = slowReader()
    for (const line of cut(chunk)) writeLines(reader.stream, [line])
    expect(reader.text()).toBe('{"a":1}\n{"b":2}\n')
    expect(reader.chunks.map(({ buffer }) => buffer === chunk.buffer)).toEqual([true, true])
  })

  it('are whole however they came, and together', () => {
    const lines = cut(Buffer.from('{"a":1}\n{"b":2}\n'))
    const reader = slowReader()
    writeLines(reader.stream, [...lines, Buffer.from('{"c":3}'), Buffer.from('x'.repeat(70_000))])
    expect(reader.text()).toBe(`{"a":1}\n{"b":2}\n{"c":3}\n${'x'.repeat(70_000)}\n`)
  })
})
