import { describe, expect, it } from 'vitest'
import { acceptBlockedReason, blockedReason, offerOf, type Signing } from './capability.ts'

const signing = (given: Partial<Signing>): Signing => ({
  key: 'enrolled',
  passkeys: 0,
  isChosen: false,
  isDemanded: false,
  ...given,
})

describe('a browser’s way to sign', () => {
  it.each([
    ['its key is enrolled', {}, null, null],
    ['the key is still loading', { key: null }, null, null],
    ['its key is not enrolled', { key: 'not-enrolled' }, 'enrol', 'can view calls but not decide'],
    ['it cannot create a key', { key: 'impossible' }, 'enrol', 'can’t create a signing key. Add a passkey'],
    [
      'only a passkey is enrolled and it was used here',
      { key: 'not-enrolled', passkeys: 1, isChosen: true },
      null,
      null,
    ],
    ['the only passkey is on another device', { key: 'not-enrolled', passkeys: 1 }, 'enrol', null],
    ['it cannot create a key but has a passkey', { key: 'impossible', passkeys: 1, isChosen: true }, null, null],
    ['a passkey is required and none exists', { isDemanded: true }, 'passkey', null],
    ['one is required and two exist', { isDemanded: true, passkeys: 2 }, 'choose', null],
    ['two exist and none is required', { passkeys: 2 }, null, null],
  ] as const)('is offered correctly when %s', (_, given, offer, blocked) => {
    expect(offerOf(signing(given))).toBe(offer)
    const words = blockedReason('live', signing(given))
    if (blocked === null) expect(words).toBeNull()
    else expect(words).toContain(blocked)
  })

  it('is blocked while the page is not live', () => {
    for (const link of ['offline', 'reconnecting', 'connecting', 'signed-out'] as const)
      expect(blockedReason(link, signing({ passkeys: 1 }))).not.toBeNull()
  })
})

describe('accepting a tool', () => {
  const COMMAND = 'countersign mcp accept tracker'

  it.each([
    ['its key is enrolled', {}, null],
    ['its key is enrolled next to a passkey', { passkeys: 1 }, null],
    ['the key is still loading', { key: null }, 'still loading'],
    ['its key is not enrolled', { key: 'not-enrolled' }, `Enroll it first, or run \`${COMMAND}\` in a terminal`],
    [
      'it only has a passkey',
      { key: 'not-enrolled', passkeys: 1 },
      `To accept this one, run \`${COMMAND}\` in a terminal`,
    ],
    ['it cannot create a key', { key: 'impossible' }, `To accept this one, run \`${COMMAND}\` in a terminal`],
  ] as const)('is explained when %s', (_, given, blocked) => {
    const words = acceptBlockedReason('live', signing(given), COMMAND)
    if (blocked === null) expect(words).toBeNull()
    else expect(words).toContain(blocked)
  })

  it('is blocked while the page is not live', () => {
    for (const link of ['offline', 'reconnecting', 'connecting', 'signed-out'] as const)
      expect(acceptBlockedReason(link, signing({}), COMMAND)).not.toBeNull()
  })
})
