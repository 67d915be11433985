import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { findChromium } from '../browser/chromium.ts'
import { EACH_SIZE, type InboxBrowser, type InboxOptions, openInboxBrowser, type Size } from './browser.ts'

interface InboxTests extends InboxOptions {
  /** Prepares the store before the first test; held calls then survive between tests. */
  readonly prepare?: (inbox: InboxBrowser) => Promise<void>
}

/** Runs tests on one inbox. Held calls are withdrawn after each test, and no page may log errors. */
export function inboxTests(name: string, wanted: InboxTests, tests: (inbox: InboxBrowser) => void): void {
  const { prepare } = wanted
  describe.skipIf(findChromium() === undefined)(name, () => {
    const inbox = {} as InboxBrowser // filled before the first test
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

/** Runs tests at each screen size. */
export function atEachSize(tests: (size: Size) => void): void {
  describe.each(EACH_SIZE)('on a %s', tests)
}
