import { describe, expect, it } from 'vitest'
import { acceptBlockedReason, blockedReason, offerOf, type Signing } from './capability.ts'

const signing = (given: Partial<Signing>): Signing => ({
  key: 'enrolled',
  passkeys: 0,
  isChosen: false,
  isDemanded: false,
  ...given,
})

describe('what a browser may sign with', () => {
  it.each([
    ['its key is enrolled', {}, null, null],
    ['nothing is known yet', { key: null }, null, null],
    ['its key is not enrolled', { key: 'not-enrolled' }, 'enrol', 'may look, but not decide'],
    ['it cannot make a key', { key: 'impossible' }, 'enrol', 'cannot sign by itself: add a passkey'],
    ['only a passkey is enrolled, and was used here', { key: 'not-enrolled', passkeys: 1, isChosen: true }, null, null],
    ['a passkey of another device is all there is', { key: 'not-enrolled', passkeys: 1 }, 'enrol', null],
    ['it cannot make a key and has a passkey', { key: 'impossible', passkeys: 1, isChosen: true }, null, null],
    ['a passkey is demanded and there is none', { isDemanded: true }, 'passkey', null],
    ['one is demanded and there are two', { isDemanded: true, passkeys: 2 }, 'choose', null],
    ['there are two and none is demanded', { passkeys: 2 }, null, null],
  ] as const)('is told when %s', (_, given, offer, blocked) => {
    expect(offerOf(signing(given))).toBe(offer)
    const words = blockedReason('live', signing(given))
    if (blocked === null) expect(words).toBeNull()
    else expect(words).toContain(blocked)
  })

  it('is nothing while the page is not live', () => {
    for (const link of ['offline', 'reconnecting', 'connecting', 'signed-out'] as const)
      expect(blockedReason(link, signing({ passkeys: 1 }))).not.toBeNull()
  })
})

describe('what accepts a tool', () => {
  const COMMAND = 'countersign mcp accept tracker'

  it.each([
    ['its key is enrolled', {}, null],
    ['its key is enrolled beside a passkey', { passkeys: 1 }, null],
    ['nothing is known yet', { key: null }, 'not open yet'],
    ['its key is not enrolled', { key: 'not-enrolled' }, `enrol its key first, or run \`${COMMAND}\` in a terminal`],
    ['it has a passkey only', { key: 'not-enrolled', passkeys: 1 }, `with a passkey: run \`${COMMAND}\` in a terminal`],
    ['it cannot make a key', { key: 'impossible' }, `with a passkey: run \`${COMMAND}\` in a terminal`],
  ] as const)('is said when %s', (_, given, blocked) => {
    const words = acceptBlockedReason('live', signing(given), COMMAND)
    if (blocked === null) expect(words).toBeNull()
    else expect(words).toContain(blocked)
  })

  it('is nothing while the page is not live', () => {
    for (const link of ['offline', 'reconnecting', 'connecting', 'signed-out'] as const)
      expect(acceptBlockedReason(link, signing({}), COMMAND)).not.toBeNull()
  })
})
