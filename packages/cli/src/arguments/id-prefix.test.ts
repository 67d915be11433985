import { describe, expect, it } from 'vitest'
import { idOf, shortId } from './id-prefix.ts'

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
    ['aabb', /fits 2 of them; type more/],
    ['\x1b[2J', /⟦ESC⟧/],
  ])('refuses %j with what to do', (typed, message) => {
    expect(() => idOf(typed, ids, words)).toThrow(message)
  })

  it('shows eight characters, escaped', () => {
    expect(shortId('0123456789')).toBe('01234567')
    expect(shortId('a\nb')).toBe('a⏎b')
  })
})
