import type { Link } from '@countersign/react'
import { describe, expect, it } from 'vitest'
import { heldTitle, unknownWords } from './held-heading.ts'

describe('what a page says of what is held', () => {
  it('is a count while it is live', () => {
    expect([heldTitle(0, 'live'), heldTitle(3, 'live'), unknownWords('live')]).toEqual([
      'Nothing is held',
      '3 held',
      null,
    ])
  })

  it.each(['connecting', 'reconnecting', 'offline', 'signed-out'] satisfies Link[])(
    'is never that nothing is held while it is %s',
    (link) => {
      expect(heldTitle(0, link)).toBe('Not known what is held')
      expect(heldTitle(2, link)).toBe('2 held when last heard')
      expect(unknownWords(link)).toMatch(/not known while|Connecting/)
    },
  )
})
