import type { ConnectionState } from '@countersign/react'
import { describe, expect, it } from 'vitest'
import { disconnectedText, heldHeading } from './list-header.tsx'

describe('the heading of the held calls', () => {
  it('is a count while the page is live', () => {
    expect([heldHeading(0, 'live'), heldHeading(3, 'live'), disconnectedText('live')]).toEqual([
      'No held calls',
      '3 held',
      null,
    ])
  })

  it.each(['connecting', 'reconnecting', 'offline', 'signed-out'] satisfies ConnectionState[])(
    'never claims that nothing is held while %s',
    (link) => {
      expect(heldHeading(0, link)).toBe('Held calls unavailable')
      expect(heldHeading(2, link)).toBe('2 held at the last update')
      expect(disconnectedText(link)).toMatch(/can’t be updated|Connecting|Sign in/)
    },
  )
})
