import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frequentName, knownNames, lookalikeName, scanMembers } from './member-scanner.ts'

const scan = (text: string, into: string | null = null) => {
  const bytes = Buffer.from(text)
  return { bytes, members: scanMembers(bytes, 0, bytes.length, into) }
}

/** Reads the values back from the spans. */
function valuesOf(text: string, into: string | null = null): object {
  const { bytes, members } = scan(text, into)
  if (typeof members === 'number') throw new Error(`not scanned: ${members}`)
  return Object.fromEntries(
    [...members.spans].map(([key, { from, to }]) => [key, JSON.parse(bytes.toString('utf8', from, to))]),
  )
}

const object = fc.dictionary(fc.string(), fc.jsonValue())
/** Objects with text long enough for every way to skip strings. */
const wordy = fc.dictionary(
  fc.string(),
  fc
    .array(fc.constantFrom('\\', '"', 'é', 'a'.repeat(70), '{', '\n'), { maxLength: 40 })
    .map((parts) => parts.join('')),
)

describe('finding the members of an object', () => {
  it('agrees with a full parse', () => {
    fc.assert(
      fc.property(fc.oneof(object, wordy), fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space)
        expect(new Map(Object.entries(valuesOf(text)))).toEqual(new Map(Object.entries(JSON.parse(text))))
        expect(scan(text).members).toMatchObject({ end: Buffer.byteLength(text), repeated: null })
      }),
    )
  })

  it('refuses nothing that JSON.parse accepts, and outside of strings accepts nothing that it refuses', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"b"',
      '01',
      '-',
      '1',
      '.5',
      'e3',
      'tru',
      'true',
      'null',
      ' ',
      '+1',
      '1.',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), (parts) => {
        const text = `{"k":${parts.join('')}}`
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        const { members } = scan(text)
        const isWhole = typeof members !== 'number' && members.end === text.length
        expect(isWhole).toBe(isJson)
      }),
      { numRuns: 1000 },
    )
  })

  it('finds the members of one member along the way', () => {
    fc.assert(
      fc.property(object, object, (outer, inner) => {
        const text = JSON.stringify({ ...outer, result: inner })
        const { bytes, members } = scan(text, 'result')
        if (typeof members === 'number') throw new Error('not scanned')
        const found = [...(members.inner?.spans ?? [])].map(([key, span]) => [
          key,
          JSON.parse(bytes.toString('utf8', span.from, span.to)),
        ])
        expect(new Map(found as [string, unknown][])).toEqual(
          new Map(Object.entries(JSON.parse(JSON.stringify(inner)))),
        )
      }),
    )
  })

  it('detects a duplicate name, also if it is escaped', () => {
    expect(scan('{"id":1,"id":2}').members).toMatchObject({ repeated: 'id' })
    expect(scan('{"id":1,"\\u0069d":2}').members).toMatchObject({ repeated: 'id' })
  })

  it('does not overflow on a million levels', () => {
    expect(scan(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`).members).toBe(-2)
  })

  it.each([
    'Method',
    'METHOD',
    'paramſ',
    'method\0',
    'method\0x',
    'method ',
    'm\u200bethod',
    'ｍethod',
    '\ufeffid',
    '\0',
  ])('detects a name that a careless parser reads as another: %s', (name) => {
    const { members } = scan(JSON.stringify({ [name]: 1 }))
    if (typeof members === 'number') throw new Error('not scanned')
    expect(lookalikeName(members, knownNames('method', 'params'))).toBe(name)
  })
})

function nameIn(text: string, from = 0, to = text.length): string | null {
  return frequentName(Buffer.from(text), from, to)
}

describe('a well-known name', () => {
  it('is found at its position, and only whole', () => {
    expect(nameIn('method')).toBe('method')
    expect(nameIn('"method":', 1, 7)).toBe('method')
    expect(nameIn('"method":', 1, 6)).toBeNull()
    expect(nameIn('methods')).toBeNull()
  })

  it.each(['Method', 'methoD', 'meth\\u006fd', '', 'i\u0064x', 'tool', 'ｉｄ'])('is not found in %j', (text) => {
    expect(nameIn(text)).toBeNull()
  })

  it('is not found beyond the end of the bytes', () => {
    expect(frequentName(Buffer.from('meth'), 0, 6)).toBeNull()
  })
})
