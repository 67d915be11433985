import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrict } from './strict-parser.ts'

const DEPTH = 64
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('parsing JSON strictly', () => {
  it('returns the same as JSON.parse, with any spacing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        expect(parseStrict(text, 1000)).toStrictEqual(JSON.parse(text))
      }),
    )
  })

  it('accepts nothing that JSON.parse refuses', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"\\u00',
      '01',
      '-',
      '1',
      '.5',
      'e3',
      'tru',
      'null',
      ' ',
      '\u0000',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => parseStrict(text, DEPTH)).toThrow()
          return
        }
        try {
          expect(parseStrict(text, DEPTH)).toStrictEqual(expected)
        } catch (error) {
          expect(error).toMatchObject({ code: 'duplicate-key' })
        }
      }),
      { numRuns: 500 },
    )
  })

  it('refuses a duplicate key, at any depth and in any spelling', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 20 }), fc.boolean(), (key, depth, isEscaped) => {
        const plain = JSON.stringify(key)
        const escaped = `"${[...Array(key.length).keys()].map((at) => `\\u${key.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
        const twice = `{${plain}:1,${isEscaped ? escaped : plain}:2}`
        const text = `${'{"x":['.repeat(depth)}${twice}${']}'.repeat(depth)}`
        expect(() => parseStrict(text, 1000)).toThrow(expect.objectContaining({ code: 'duplicate-key' }))
      }),
    )
  })

  it('accepts values up to the maximum depth, and no deeper', () => {
    expect(parseStrict(deep(DEPTH), DEPTH)).toEqual(JSON.parse(deep(DEPTH)))
    expect(() => parseStrict(deep(DEPTH + 1), DEPTH)).toThrow(expect.objectContaining({ code: 'too-deep' }))
    expect(() => parseStrict(deep(1_000_000), DEPTH)).toThrow(expect.objectContaining({ code: 'too-deep' }))
  })

  it('keeps a key called __proto__ as data', () => {
    const read = parseStrict('{"__proto__":{"a":1}}', DEPTH)
    expect(Object.keys(read as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })
})
