import type { JsonObject } from '@countersign/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDenied, isPlainMethod, looksLikeCall, mayCallTool } from './method-name.ts'

const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

/** Spellings of one letter of `tools/call` that a careless reader takes for the letter itself. */
const SPELLINGS: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => letter.toUpperCase(),
  (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0), // full width
  hex,
  (letter) => hex(letter).toUpperCase(),
  (letter) => hex(letter).replace('%', '%25'),
]

/** Invisible or ignored characters around and between letters. */
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

/** A few more characters than ASCII. */
const letter = fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code))

describe('a method name', () => {
  it('is never accepted as another method if it is `tools/call` in disguise', () => {
    fc.assert(
      fc.property(disguised, (method) => {
        expect(isPlainMethod(method) && !looksLikeCall(method)).toBe(false)
      }),
    )
  })

  it('is plain only if all its letters are visible', () => {
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 4 }), (method) => {
        const visible = Array.from(method).every((letter) => letter > ' ' && letter < '\x7f')
        expect(isPlainMethod(method)).toBe(method !== '' && visible && !/%[0-9a-fA-F][0-9a-fA-F]/.test(method))
      }),
    )
  })

  it('A1 is denied whatever is around and between its letters, and no other is', () => {
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
  ])('`%s` is accepted', (method) => {
    expect(isPlainMethod(method) && !looksLikeCall(method)).toBe(true)
  })
})

describe('a method that no version of the protocol has', () => {
  it.each<[string, JsonObject]>([
    ['x/invoke', {}],
    ['server/runTask', {}],
    ['tools/execute', {}],
    ['vendor.batch', {}],
    ['x/do', { name: 'delete_all', arguments: {} }],
    ['x/do', { tool: 'delete_all' }],
    ['x/do', { args: { all: 'yes' } }],
    ['x/do', { calls: [] }],
    ['resources/call', { name: 'delete_all', arguments: {} }],
    ['resources/tools/call', { name: 'delete_all' }],
    ['prompts/exec', {}],
    ['tasks/run', {}],
    ['tasks/create', { name: 'delete_all', arguments: {} }],
    ['sampling/tool', {}],
  ])('may call a tool: %s %j', (method, params) => expect(mayCallTool(method, () => params)).toBe(true))

  it('may call a tool if its parameters cannot be read', () =>
    expect(
      mayCallTool('x/do', () => {
        throw new Error('unreadable')
      }),
    ).toBe(true))

  it.each([
    'initialize',
    'ping',
    'tools/list',
    'resources/read',
    'prompts/get',
    'tasks/result',
    'notifications/progress',
  ])('is not %s', (method) => expect(mayCallTool(method, () => ({ name: 'x', arguments: {} }))).toBe(false))

  it('passes without a name or input of a tool', () => expect(mayCallTool('x/other', () => ({ a: 1 }))).toBe(false))
})
