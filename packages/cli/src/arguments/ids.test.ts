import { describe, expect, it } from 'vitest'
import { callName, findCall, idOf, shortId } from './ids.ts'

const words = { what: 'grant', list: 'countersign grants list', code: 'CS_GRANT_UNKNOWN' } as const
const ids = ['aabb01', 'aabb02', 'cc', 'cc01']

describe('ids that people type', () => {
  it('takes a whole id or a beginning that fits one', () => {
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
  ])('refuses %j with what to do', (typed, message) => {
    expect(() => idOf(typed, ids, words)).toThrow(message)
  })

  it('shows eight characters, escaped', () => {
    expect(shortId('0123456789')).toBe('01234567')
    expect(shortId('a\nb')).toBe('a⏎b')
  })
})

const callWords = { what: 'call', list: 'countersign history', code: 'CS_DECISION_UNKNOWN' } as const
const held = { id: '5f2a91c0e4b7', requestDigest: `0123abcd${'0'.repeat(56)}` }
const unasked = { id: '77777777-7777', requestDigest: null }

describe('calls of the past', () => {
  it('go by their mark if they were held, else by the beginning of their id', () => {
    expect([held, unasked].map(callName)).toEqual(['0123abcd', '77777777'])
  })

  it('are found by mark, id or beginning', () => {
    for (const typed of ['0123abcd', '0123', '5f2a91c0e4b7', '5f2a'])
      expect(findCall(typed, [held, unasked], callWords)).toBe(held.id)
    expect(findCall('77777777', [held, unasked], callWords)).toBe(unasked.id)
  })

  it('are not found by an id that another hides behind, or that is spelled like a mark', () => {
    for (const id of ['5f2a91c0', '0123abcd'])
      expect(() => findCall(id, [held, { id, requestDigest: null }], callWords)).toThrow(/matches 2 of them; type more/)
  })

  it.each(['', 'x', '\x1b[2J'])('refuses %j with what to do', (typed) => {
    expect(() => findCall(typed, [held], callWords)).toThrow(/no call `.*`; list them with `countersign history`/)
  })
})
