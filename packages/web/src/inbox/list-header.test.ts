import type { ConnectionState } from '@countersign/react'
import { describe, expect, it } from 'vitest'
import { disconnectedText, heldHeading } from './list-header.tsx'

describe('what a page says of what is held', () => {
  it('is a count while it is live', () => {
    expect([heldHeading(0, 'live'), heldHeading(3, 'live'), disconnectedText('live')]).toEqual([
      'Nothing is held',
      '3 held',
      null,
    ])
  })

  it.each(['connecting', 'reconnecting', 'offline', 'signed-out'] satisfies ConnectionState[])(
    'is never that nothing is held while it is %s',
    (link) => {
      expect(heldHeading(0, link)).toBe('Not known what is held')
      expect(heldHeading(2, link)).toBe('2 held when last heard')
      expect(disconnectedText(link)).toMatch(/not known while|Connecting/)
    },
  )
})
