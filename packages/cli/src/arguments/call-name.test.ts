import { describe, expect, it } from 'vitest'
import { callName, findCall } from './call-name.ts'

const words = { what: 'call', list: 'countersign history', code: 'CS_DECISION_UNKNOWN' } as const
const held = { id: '5f2a91c0e4b7', requestDigest: `0123abcd${'0'.repeat(56)}` }
const unasked = { id: '77777777-7777', requestDigest: null }

describe('calls of the past', () => {
  it('go by their mark if they were held, else by the beginning of their id', () => {
    expect([held, unasked].map(callName)).toEqual(['0123abcd', '77777777'])
  })

  it('are found by mark, id or beginning', () => {
    for (const typed of ['0123abcd', '0123', '5f2a91c0e4b7', '5f2a'])
      expect(findCall(typed, [held, unasked], words)).toBe(held.id)
    expect(findCall('77777777', [held, unasked], words)).toBe(unasked.id)
  })

  it('are not found by an id that another hides behind, or that is spelled like a mark', () => {
    for (const id of ['5f2a91c0', '0123abcd'])
      expect(() => findCall(id, [held, { id, requestDigest: null }], words)).toThrow(/fits 2 of them; type more/)
  })

  it.each(['', 'x', '\x1b[2J'])('refuses %j with what to do', (typed) => {
    expect(() => findCall(typed, [held], words)).toThrow(/no call `.*`; list them with `countersign history`/)
  })
})
