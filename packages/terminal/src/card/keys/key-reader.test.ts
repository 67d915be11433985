import { simulatedClock } from '@countersign/testing/simulated-clock'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Key } from './key.ts'
import { createKeyReader } from './key-reader.ts'

function open() {
  const clock = simulatedClock()
  const batches: (readonly Key[])[] = []
  const reader = createKeyReader(
    (ms, wake) => clock.after(ms, wake),
    (keys) => batches.push(keys),
  )
  return {
    clock,
    batches,
    reader,
    pasted: () => batches.flatMap((keys) => keys.flatMap((key) => (key.kind === 'paste' ? [key.text] : []))).join(''),
    others: () => batches.flat().filter(({ kind }) => kind !== 'paste'),
  }
}

const START = '\x1b[200~'
const END = '\x1b[201~'

describe('the key reader', () => {
  it('reads no keys inside a bracketed paste, however slow, and loses no text (A5)', async () => {
    const { reader, clock, pasted, others, batches } = open()
    reader.hear(`${START}hello`)
    expect(batches).toEqual([[{ kind: 'paste', text: '' }]])
    for (const chunk of ['y', '\r', 'y']) {
      await clock.advance(20_000)
      reader.hear(chunk)
      expect(batches.at(-1)).toEqual([{ kind: 'paste', text: '' }])
    }
    reader.hear(END)
    expect(pasted()).toBe('helloy\ry')
    expect(others()).toEqual([])
    reader.hear('y')
    expect(others()).toEqual([{ kind: 'text', text: 'y' }])
  })

  it('returns the text around a paste together with it, never alone', () => {
    const { reader, batches } = open()
    reader.hear(`y${START}a`)
    reader.hear(`b${END}y`)
    expect(batches).toEqual([
      [
        { kind: 'text', text: 'y' },
        { kind: 'paste', text: '' },
      ],
      [
        { kind: 'paste', text: 'ab' },
        { kind: 'text', text: 'y' },
      ],
    ])
  })

  it('handles Ctrl-C in the middle of a paste, and continues the paste', () => {
    const { reader, pasted, others } = open()
    reader.hear(`${START}a`)
    reader.hear('\x03')
    reader.hear(`y${END}`)
    expect(others()).toEqual([{ kind: 'interrupt' }])
    expect(pasted()).toBe('ay')
  })

  it('stops waiting for an end that never comes, and keeps the text so far', async () => {
    const { reader, clock, pasted, batches } = open()
    reader.hear(`${START}a\x1b[2`)
    await clock.advance(60_000)
    expect(pasted()).toBe('a\x1b[2')
    reader.hear('y')
    expect(batches.at(-1)).toEqual([{ kind: 'text', text: 'y' }])
    expect(clock.pending).toBe(0)
  })

  it('waits longer for the rest of an opening bracket than for the rest of an arrow key', async () => {
    const { reader, clock, pasted, batches } = open()
    reader.hear('\x1b[20')
    await clock.advance(500)
    reader.hear(`0~y${END}`)
    expect(pasted()).toBe('y')
    reader.hear('\x1b')
    await clock.advance(50)
    expect(batches.at(-1)).toEqual([{ kind: 'escape' }])
  })

  it('keeps a limited part of an endless paste, and still finds its end', () => {
    const { reader, pasted, others } = open()
    reader.hear(START)
    for (let at = 0; at < 40; at += 1) reader.hear('x'.repeat(65_536))
    reader.hear(`${END}y`)
    expect(pasted().length).toBe(1 << 20)
    expect(others()).toEqual([{ kind: 'text', text: 'y' }])
  })

  it('reads the same paste wherever it is split', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(40), { maxLength: 8 }), (text, cuts) => {
        fc.pre(!text.includes('\x1b'))
        const whole = `${START}${text}${END}`
        const { reader, pasted, others } = open()
        const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length])].sort(
          (a, b) => a - b,
        )
        for (const [at, place] of places.slice(0, -1).entries()) {
          const chunk = whole.slice(place, places[at + 1])
          if (!/^\x03+$/.test(chunk)) reader.hear(chunk)
          else return
        }
        expect(pasted()).toBe(text)
        expect(others()).toEqual([])
      }),
    )
  })
})
