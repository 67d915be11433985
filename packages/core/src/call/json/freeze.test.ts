import vm from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical.ts'
import { freezeArgs, freezeJson, MAX_ARGS_BYTES, MAX_ARGS_NODES } from './freeze.ts'
import type { Json } from './json.ts'

const code = (name: string) => expect.objectContaining({ code: name })
const hasControl = /[\u0000-\u001f\u007f-\uffff]/

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = { a: value }
  return value
}

const cyclic: { self?: unknown } = {}
cyclic.self = { again: [cyclic] }

class Money {
  amount = 1
}

const refused: readonly (readonly [string, unknown, string, string])[] = [
  ['a function', { cb: () => 1 }, 'CS_CALL_ARGS', '`args.cb`'],
  ['a symbol', { a: [Symbol('x')] }, 'CS_CALL_ARGS', '`args.a[0]`'],
  ['a symbol key', { [Symbol('x')]: 1 }, 'CS_CALL_ARGS', '`args`'],
  ['a bigint', { n: 1n }, 'CS_CALL_ARGS', '`args.n`'],
  ['NaN', { n: Number.NaN }, 'CS_CALL_ARGS', '`args.n`'],
  ['-Infinity', { n: Number.NEGATIVE_INFINITY }, 'CS_CALL_ARGS', '`args.n`'],
  ['2^53', { n: 2 ** 53 }, 'CS_CALL_ARGS', '`args.n`'],
  ['-2^53', { n: -(2 ** 53) }, 'CS_CALL_ARGS', '`args.n`'],
  ['undefined in an array', { list: [1, undefined] }, 'CS_CALL_ARGS', '`args.list[1]`'],
  ['a hole in an array', { list: new Array(2) }, 'CS_CALL_ARGS', '`args.list[0]`'],
  ['a named property on an array', { list: Object.assign([1], { extra: 1 }) }, 'CS_CALL_ARGS', '`args.list`'],
  ['a date', { at: new Date(0) }, 'CS_CALL_ARGS', '`args.at`'],
  ['a map', { m: new Map() }, 'CS_CALL_ARGS', '`args.m`'],
  ['a class instance', { price: new Money() }, 'CS_CALL_ARGS', '`args.price`'],
  ['an array of a subclass', { list: new (class Rows extends Array {})() }, 'CS_CALL_ARGS', '`args.list`'],
  ['an inherited toJSON', { v: Object.create({ toJSON: () => 'other' }) }, 'CS_CALL_ARGS', '`args.v`'],
  ['an own toJSON', { v: { toJSON: () => 'other' } }, 'CS_CALL_ARGS', '`args.v.toJSON`'],
  ['a hidden property', Object.defineProperty({}, 'x', { value: 1 }), 'CS_CALL_ARGS', '`args.x`'],
  ['a cycle', cyclic, 'CS_CALL_ARGS', '`args.self.again[0]`'],
  ['a lone surrogate', { s: 'a\ud800' }, 'CS_CALL_ARGS', '`args.s`'],
  ['a lone surrogate in a key', { '\udc00': 1 }, 'CS_CALL_ARGS', '`args["\\udc00"]`'],
  ['__proto__', JSON.parse('{"a":{"__proto__":1}}'), 'CS_CALL_ARGS', '`args.a.__proto__`'],
  ['constructor', { constructor: 1 }, 'CS_CALL_ARGS', '`args.constructor`'],
  ['prototype', { prototype: {} }, 'CS_CALL_ARGS', '`args.prototype`'],
  ['65 levels', nested(65), 'CS_CALL_TOO_DEEP', '`args.a.a'],
  ['100,000 levels', nested(100_000), 'CS_CALL_TOO_DEEP', '`args.a.a'],
  ['too many values', { list: new Array(MAX_ARGS_NODES + 1).fill(1) }, 'CS_CALL_TOO_LARGE', '`args.list`'],
  ['an array that only claims its length', { list: new Array(2 ** 31) }, 'CS_CALL_TOO_LARGE', '`args.list`'],
  ['100 MB', { text: 'x'.repeat(100_000_000) }, 'CS_CALL_TOO_LARGE', '`args.text`'],
  ['a value that is not an object', [1], 'CS_CALL_ARGS', '`args`'],
  ['null', null, 'CS_CALL_ARGS', '`args`'],
  [
    'a proxy that throws',
    {
      p: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('\u001b[2J')
          },
        },
      ),
    },
    'CS_CALL_ARGS',
    '`args.p`',
  ],
  ['a revoked proxy', { p: revoked() }, 'CS_CALL_ARGS', '`args.p`'],
]

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('freezing arguments', () => {
  it.each(refused)('refuses %s and reports the path', (_, value, expected, path) => {
    expect(() => freezeArgs(value)).toThrow(code(expected))
    expect(() => freezeArgs(value)).toThrow(path)
  })

  it.each(refused)('still describes %s in one safe line (scenario 62)', (_, value) => {
    let line = ''
    try {
      freezeArgs(value)
    } catch (error) {
      line = (error as Error).message
    }
    expect(line).toMatch(/^there is .+ at `args/)
    expect(line).not.toMatch(hasControl)
    expect(line.length).toBeLessThan(300)
  })

  it('never calls an accessor', () => {
    let calls = 0
    const trap = {
      get path() {
        calls++
        return calls === 1 ? 'safe' : '/etc/passwd'
      },
    }
    expect(() => freezeArgs(trap)).toThrow('accessor')
    expect(calls).toBe(0)
  })

  it('reads each property of a proxy once, so the shown value is the one that runs (A6)', () => {
    const reads: string[] = []
    const proxy = new Proxy(
      { path: 'a', list: [1] },
      {
        getOwnPropertyDescriptor(target, key) {
          reads.push(String(key))
          const seen = reads.filter((read) => read === key).length
          const found = Reflect.getOwnPropertyDescriptor(target, key)
          return key === 'path' && found ? { ...found, value: seen === 1 ? 'shown' : 'other' } : found
        },
      },
    )
    expect(freezeArgs(proxy)).toEqual({ path: 'shown', list: [1] })
    expect(reads).toEqual(['path', 'list'])
  })

  it('does not change when the original changes later', () => {
    const original = { files: ['a'], options: { force: false } }
    const copy = freezeArgs(original)
    original.files.push('b')
    original.options.force = true
    expect(copy).toEqual({ files: ['a'], options: { force: false } })
  })

  it('freezes every level', () => {
    const copy = freezeArgs({ a: { b: [{ c: 1 }] } }) as { a: { b: [{ c: number }] } }
    for (const part of [copy, copy.a, copy.a.b, copy.a.b[0]]) expect(Object.isFrozen(part)).toBe(true)
  })

  it('returns objects without a prototype that behave like ordinary JSON', () => {
    const copy = freezeArgs({ a: { b: 1 } })
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'toJSON'])
      expect(copy[name]).toBeUndefined()
    expect(JSON.stringify(copy)).toBe('{"a":{"b":1}}')
    expect(structuredClone(copy)).toEqual({ a: { b: 1 } })
    expect({ ...copy }).toEqual({ a: { b: 1 } })
  })

  it('accepts its own copies, objects without a prototype, and objects from other realms', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(freezeArgs(freezeArgs({ a: 1 }))).toEqual({ a: 1 })
    expect(freezeArgs(bare)).toEqual({ a: 1 })
    expect(freezeArgs(vm.runInNewContext('({ a: [1, { b: 2 }] })'))).toEqual({ a: [1, { b: 2 }] })
  })

  it('leaves out undefined properties and turns -0 into 0, as JSON does', () => {
    const copy = freezeArgs({ a: undefined, b: { c: undefined }, zero: -0 })
    expect(canonicalJson(copy)).toBe('{"b":{},"zero":0}')
    expect(Object.is(copy['zero'], 0)).toBe(true)
  })

  it('copies a value that is used twice, and refuses sharing that grows exponentially', () => {
    const shared = { x: 1 }
    expect(freezeArgs({ a: shared, b: shared })).toEqual({ a: { x: 1 }, b: { x: 1 } })
    let bomb: unknown = ['ha']
    for (let i = 0; i < 40; i++) bomb = [bomb, bomb]
    expect(() => freezeArgs({ bomb })).toThrow(code('CS_CALL_TOO_LARGE'))
  })

  it('counts the exact bytes of the canonical JSON against the size limit', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })), (value) => {
        fc.pre(isFreezable(value))
        const bytes = Buffer.byteLength(canonicalJson(freezeArgs(value)))
        expect(freezeArgs(value, bytes)).toBeDefined()
        expect(() => freezeArgs(value, bytes - 1)).toThrow(code('CS_CALL_TOO_LARGE'))
      }),
      { numRuns: 200 },
    )
  })

  it('keeps all JSON data unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        fc.pre(isFreezable(value))
        expect(canonicalJson(freezeArgs(value))).toBe(canonicalJson(value as Json as { [key: string]: Json }))
      }),
    )
  })

  it('accepts exactly 64 levels and 1 MiB by default', () => {
    expect(freezeArgs(nested(64))).toBeDefined()
    const fits = 'x'.repeat(MAX_ARGS_BYTES - '{"t":""}'.length)
    expect(freezeArgs({ t: fits })).toBeDefined()
    expect(() => freezeArgs({ t: `${fits}x` })).toThrow(code('CS_CALL_TOO_LARGE'))
  })

  it('pollutes no prototype from a hashed definition with unusual keys (A26)', () => {
    const definition = JSON.parse(
      '{"properties":{"__proto__":{"polluted":1},"constructor":{"max":18446744073709551615}}}',
    )
    const copy = freezeJson(definition, { root: 'definition', maxBytes: 1000, onlyHashed: true })
    expect(canonicalJson(copy)).toBe(
      '{"properties":{"__proto__":{"polluted":1},"constructor":{"max":18446744073709552000}}}',
    )
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('keeps messages printable and short, whatever the keys contain', () => {
    const message = (value: unknown) => {
      try {
        freezeArgs(value)
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    const text = message({ ['\u001b[2J`\u202e'.repeat(50)]: { [`x${'y'.repeat(500)}`]: 1n } })
    expect(text).toMatch(/^there is a bigint at `/)
    expect(text).not.toMatch(hasControl)
    expect(text.split('`')).toHaveLength(3)
    expect(text.length).toBeLessThan(400)
  })
})

function isFreezable(value: unknown): boolean {
  const text = JSON.stringify(value)
  if (/"(?:__proto__|constructor|prototype)":/.test(text)) return false
  let safe = true
  JSON.parse(text, (_, item) => {
    if (typeof item === 'number' && Number.isInteger(item) && !Number.isSafeInteger(item)) safe = false
    return item
  })
  return safe && !/\\ud[89a-f]/.test(text)
}
