import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAskingLines } from './asking-lines.ts'

describe('the lines of the asking wire', () => {
  it('are the same however the bytes are cut', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '').toWellFormed())
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat({ max: 20 })), (lines, cuts) => {
        const read = createAskingLines(10_000)
        const all = Buffer.from(lines.map((one) => `${one}\n`).join(''))
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

  it('are the same when each comes whole', () => {
    const read = createAskingLines(100)
    expect(read(Buffer.from('{"a":"ä"}\n'))).toEqual(['{"a":"ä"}'])
    expect(read(Buffer.from('{"b'))).toEqual([])
    expect(read(Buffer.from('":1}\n'))).toEqual(['{"b":1}'])
    expect(read(Buffer.from('\n'))).toEqual([''])
    expect(read(Buffer.from('1\n2\n'))).toEqual(['1', '2'])
  })

  it('keep nothing of the place they were read from', () => {
    const place = Buffer.alloc(8)
    const read = createAskingLines(100)
    const say = (text: string) => read(place.subarray(0, place.write(text)))
    expect([...say('one\ntw'), ...say('o\nthr'), ...say('ee\n')]).toEqual(['one', 'two', 'three'])
  })

  it('stop at one that is too long, whether or not it ends (L10)', () => {
    expect(createAskingLines(4)(Buffer.from('1234\n'))).toEqual(['1234'])
    expect(() => createAskingLines(4)(Buffer.from('12345\n'))).toThrow(RangeError)
    const read = createAskingLines(4)
    expect(read(Buffer.from('123'))).toEqual([])
    expect(() => read(Buffer.from('45'))).toThrow(RangeError)
  })
})
