import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical.ts'
import type { Json } from './json.ts'

function numberFromBits(hex: string): number {
  return new DataView(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)).buffer).getFloat64(0)
}

describe('canonical JSON', () => {
  it('matches the example in RFC 8785 section 3.2.2', () => {
    const input = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    )
    expect(canonicalJson(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts keys by UTF-16 code units, as in RFC 8785 section 3.2.3', () => {
    const input = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const values = [...canonicalJson(input).matchAll(/:"([^"]*)"/g)].map((match) => match[1])
    expect(values).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('writes the number with bits %s as %s (RFC 8785 appendix B)', (bits, text) => {
    expect(canonicalJson(numberFromBits(bits))).toBe(text)
  })

  it('sorts integer-like keys as text, not as numbers', () => {
    expect(canonicalJson({ 9: 0, 10: 0, '!': 0 })).toBe('{"!":0,"10":0,"9":0}')
  })

  it('is the same for equal data in any key order, and parses back to it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value as Json)
        expect(canonicalJson(reversed(value as Json))).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it('escapes a lone surrogate, so that two texts never have the same UTF-8 bytes', () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(hash(canonicalJson('\ud800'))).not.toBe(hash(canonicalJson('\ud801')))
    expect(JSON.parse(canonicalJson({ '\udc00': '\ud800x' }))).toEqual({ '\udc00': '\ud800x' })
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, [undefined], () => 1, 1n])('refuses %s', (value) => {
    expect(() => canonicalJson(value as never)).toThrow(expect.objectContaining({ code: 'CS_CALL_ARGS' }))
  })

  it('refuses data that is too deep instead of overflowing the stack', () => {
    let deep: Json = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(() => canonicalJson(deep)).toThrow(expect.objectContaining({ code: 'CS_CALL_TOO_DEEP' }))
  })
})

function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => reversed(item))
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  )
}
