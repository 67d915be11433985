import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDenied, isPlainMethod, looksLikeCall } from './method-name.ts'

const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

/** Ways to write one letter of `tools/call` that a careless reader takes for the letter itself. */
const SPELLINGS: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => letter.toUpperCase(),
  (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0), // full width
  hex,
  (letter) => hex(letter).toUpperCase(),
  (letter) => hex(letter).replace('%', '%25'),
]

/** What may stand around or between letters without being seen, or without counting. */
const FILLING = [
  '',
  ' ',
  '\t',
  '\0',
  '\x1b',
  '\x7f',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\u{e0041}',
  '/',
  '\\',
  '.',
]

const disguised = fc
  .tuple(
    fc.constantFrom(...FILLING),
    ...Array.from('tools/call', (letter) =>
      fc
        .tuple(fc.constantFrom(...SPELLINGS), fc.constantFrom(...FILLING))
        .map(([spell, filling]) => spell(letter) + filling),
    ),
  )
  .map((parts) => parts.join(''))
  .filter((method) => method !== 'tools/call')

/** A few more than ASCII has. */
const letter = fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code))

describe('the name of a method', () => {
  it('is never plain and unlike `tools/call` when it is that in disguise', () => {
    fc.assert(
      fc.property(disguised, (method) => {
        expect(isPlainMethod(method) && !looksLikeCall(method)).toBe(false)
      }),
    )
  })

  it('is plain in visible letters only, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 4 }), (method) => {
        const visible = Array.from(method).every((letter) => letter > ' ' && letter < '\x7f')
        expect(isPlainMethod(method)).toBe(method !== '' && visible && !/%[0-9a-fA-F][0-9a-fA-F]/.test(method))
      }),
    )
  })

  it('A1 is denied whatever stands around and between its letters, and no other is', () => {
    const isDenied = compileDenied(['sampling/createMessage', '$/*'])
    for (const method of ['/sampling/createMessage', './sampling/createMessage', 'sampling/createMessage/'])
      expect(isDenied(method)).toBe(true)
    for (const method of ['sampling/createMessage?x', 'samplingcreatemessage', '$/setTrace'])
      expect(isDenied(method)).toBe(true)
    for (const method of ['sampling/createMessages', 'tools/list', 'ping']) expect(isDenied(method)).toBe(false)
  })

  it.each([
    'ping',
    'tools/list',
    'tasks/cancel',
    'sampling/createMessage',
    'notifications/tools/list_changed',
    '$/setTrace',
    'x-vendor:tools.call2',
    '100%',
  ])('`%s` passes', (method) => {
    expect(isPlainMethod(method) && !looksLikeCall(method)).toBe(true)
  })
})
