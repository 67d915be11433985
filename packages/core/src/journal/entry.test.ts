import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import { cutText, draftEntry, parseEntry } from './entry.ts'
import { crypto } from './fixture.mts'

const body = { kind: 'judged', call: 'c1', tool: 'read_file', session: null, said: 'hello', agent: ['main'] } as const

describe('an entry', () => {
  it('is one line of canonical JSON with its sequence number', () => {
    expect(draftEntry(body, 17).line(5)).toBe(
      '{"agent":["main"],"at":17,"call":"c1","kind":"judged","said":"hello","seq":5,"session":null,"tool":"read_file","v":1}',
    )
  })

  it('is canonical and parses back, whatever its fields', () => {
    const fields = fc.dictionary(
      fc.string().filter((key) => !['at', 'seq', 'v', 'kind', 'call', '__proto__'].includes(key)),
      fc.jsonValue() as fc.Arbitrary<Json>,
    )
    fc.assert(
      fc.property(fields, fc.integer({ min: 1 }), (more, seq) => {
        const line = draftEntry({ ...more, kind: 'notice', call: null }, 3).line(seq)
        expect(canonicalJson(JSON.parse(line))).toBe(line)
        expect(line).not.toContain('\n')
        expect(parseEntry(line)?.seq).toBe(seq)
      }),
    )
  })

  it('has no reserved field and no unlisted kind', () => {
    for (const field of ['at', 'seq', 'v'])
      expect(() => draftEntry({ kind: 'notice', call: null, [field]: 1 }, 1)).toThrow(/own/)
    expect(() => draftEntry({ kind: 'toString', call: null }, 1)).toThrow(/unknown kind/)
  })

  it('is redacted as a whole if it has a redactor', () => {
    const secret = `ghp_${'a1'.repeat(18)}`
    const line = draftEntry({ ...body, because: [`uses ${secret}`], args: { password: 'hunter2' } }, 1, crypto).line(1)
    expect(line).not.toContain(secret)
    expect(line).not.toContain('hunter2')
    expect(line).toContain('[redacted:github-token:')
  })

  it('keeps the start and the length of long texts', () => {
    const line = draftEntry({ ...body, args: { content: 'é'.repeat(200_000), small: 'kept' } }, 1).line(1)
    expect(line.length).toBeLessThan(6000)
    expect(line).toContain('[cut:200000]')
    expect(line).toContain('"small":"kept"')
  })

  it('is refused if it is still too large', () => {
    const args = Array.from({ length: 800_000 }, () => 12_345)
    expect(() => draftEntry({ ...body, args }, 1)).toThrow(expect.objectContaining({ code: 'CS_CALL_TOO_LARGE' }))
  })

  it('is not parsed from other text', () => {
    for (const line of [
      '',
      '{',
      '[]',
      'null',
      '{"v":2,"seq":1,"at":1,"kind":"x","call":null}',
      '{"v":1,"seq":1.5,"at":1,"kind":"x","call":null}',
    ]) {
      expect(parseEntry(line)).toBeUndefined()
    }
  })

  it('is never truncated inside a character', () => {
    expect(cutText('ab😀cd', 3)).toBe('ab[cut:6]')
    expect(cutText('ab😀cd', 4)).toBe('ab😀[cut:6]')
  })
})
