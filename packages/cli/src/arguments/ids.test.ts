import { describe, expect, it } from 'vitest'
import { callName, findCall, idOf, shortId } from './ids.ts'

const words = { what: 'grant', list: 'countersign grants list', code: 'CS_GRANT_UNKNOWN' } as const
const ids = ['aabb01', 'aabb02', 'cc', 'cc01']

describe('typed ids', () => {
  it('match a full id or a unique prefix', () => {
    expect(idOf('aabb01', ids, words)).toBe('aabb01')
    expect(idOf('aabb02', ids, words)).toBe('aabb02')
    expect(idOf('cc0', ids, words)).toBe('cc01')
    expect(idOf('cc', ids, words)).toBe('cc')
  })

  it.each([
    ['x', /no grant `x`; list them with `countersign grants list`/],
    ['', /no grant ``/],
    ['aabb', /matches 2 of them; type more/],
    ['\x1b[2J', /⟦ESC⟧/],
  ])('refuse %j and say what to do', (typed, message) => {
    expect(() => idOf(typed, ids, words)).toThrow(message)
  })

  it('show eight characters, escaped', () => {
    expect(shortId('0123456789')).toBe('01234567')
    expect(shortId('a\nb')).toBe('a⏎b')
  })
})

const callWords = { what: 'call', list: 'countersign history', code: 'CS_DECISION_UNKNOWN' } as const
const held = { id: '5f2a91c0e4b7', requestDigest: `0123abcd${'0'.repeat(56)}` }
const unasked = { id: '77777777-7777', requestDigest: null }

describe('ids of past calls', () => {
  it('are short ids if the call was held, otherwise an id prefix', () => {
    expect([held, unasked].map(callName)).toEqual(['0123abcd', '77777777'])
  })

  it('match a short id, an id or a prefix', () => {
    for (const typed of ['0123abcd', '0123', '5f2a91c0e4b7', '5f2a'])
      expect(findCall(typed, [held, unasked], callWords)).toBe(held.id)
    expect(findCall('77777777', [held, unasked], callWords)).toBe(unasked.id)
  })

  it('do not match an id that another shadows, or that looks like a short id', () => {
    for (const id of ['5f2a91c0', '0123abcd'])
      expect(() => findCall(id, [held, { id, requestDigest: null }], callWords)).toThrow(/matches 2 of them; type more/)
  })

  it.each(['', 'x', '\x1b[2J'])('refuse %j and say what to do', (typed) => {
    expect(() => findCall(typed, [held], callWords)).toThrow(/no call `.*`; list them with `countersign history`/)
  })
})
