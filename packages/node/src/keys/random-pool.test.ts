import { describe, expect, it } from 'vitest'
import { randomStock } from './node-crypto.ts'

describe('the pool of random bytes', () => {
  it('returns the requested number, and never the same bytes twice', () => {
    const draw = randomStock()
    const drawn = Array.from({ length: 3_000 }, (_, at) => draw(at % 2 === 0 ? 16 : 12))
    expect(drawn.every((bytes, at) => bytes.length === (at % 2 === 0 ? 16 : 12))).toBe(true)
    expect(new Set(drawn.map((bytes) => bytes.toString('hex'))).size).toBe(drawn.length)
    expect(draw(10_000).length).toBe(10_000)
  })

  it('does not change bytes it returned earlier', () => {
    const draw = randomStock()
    const first = draw(16)
    const before = first.toString('hex')
    for (let at = 0; at < 1_000; at += 1) draw(16)
    expect(first.toString('hex')).toBe(before)
  })
})
