import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineReader } from './line-reader.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('reading lines', () => {
  it('returns the same lines however the bytes are split', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '').toWellFormed())
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat({ max: 50 })), (lines, cuts) => {
        const read = createLineReader(10_000)
        const all = bytes(lines.map((one) => `${one}\n`).join(''))
        const found: string[] = []
        let at = 0
        for (const cut of [...cuts, all.length]) {
          found.push(...read(all.subarray(at, at + cut)))
          at += cut
        }
        expect(found).toEqual(lines)
      }),
    )
  })

  it('returns the same lines if all or some arrive whole', () => {
    const read = createLineReader(100)
    expect(read(bytes('{"a":"ä"}\n'))).toEqual(['{"a":"ä"}'])
    expect(read(bytes('{"b'))).toEqual([])
    expect(read(bytes('":1}\n'))).toEqual(['{"b":1}'])
    expect(read(bytes('\n'))).toEqual([''])
    expect(read(bytes('1\n2\n'))).toEqual(['1', '2'])
    expect(read(bytes(''))).toEqual([])
  })

  it('keeps no reference to its input buffer', () => {
    const place = Buffer.alloc(8)
    const read = createLineReader(100)
    const say = (text: string) => read(place.subarray(0, place.write(text)))
    expect([...say('one\ntw'), ...say('o\nthr'), ...say('ee\n')]).toEqual(['one', 'two', 'three'])
  })

  it('stops at a line that is too long, terminated or not (L10)', () => {
    expect(createLineReader(4)(bytes('1234\n'))).toEqual(['1234'])
    expect(() => createLineReader(4)(bytes('12345\n'))).toThrow(RangeError)
    const read = createLineReader(4)
    expect(read(bytes('123'))).toEqual([])
    expect(() => read(bytes('45'))).toThrow(RangeError)
  })
})
