import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { findChromium } from '../browser/chromium.ts'
import { EACH_SIZE, type InboxBrowser, type InboxOptions, openInboxBrowser, type Size } from './browser.ts'

interface InboxTests extends InboxOptions {
  /** What is there before the first test; it then stays held between the tests. */
  readonly prepare?: (inbox: InboxBrowser) => Promise<void>
}

/** Tests on one inbox: opened before the first, emptied after each, and no page may have complained. */
export function inboxTests(name: string, wanted: InboxTests, tests: (inbox: InboxBrowser) => void): void {
  const { prepare } = wanted
  describe.skipIf(findChromium() === undefined)(name, () => {
    const inbox = {} as InboxBrowser // whole before the first test
    beforeAll(async () => {
      Object.assign(inbox, await openInboxBrowser(wanted))
      await prepare?.(inbox)
    })
    afterAll(() => inbox.close?.())
    afterEach(async () => {
      if (prepare === undefined) await inbox.service.clear()
      expect(inbox.complaints()).toEqual([])
    })
    tests(inbox)
  })
}

/** Tests of a flow, at each size at which it must work. */
export function atEachSize(tests: (size: Size) => void): void {
  describe.each(EACH_SIZE)('on a %s', tests)
}
