import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { type InboxBrowser, openInboxBrowser } from '../support/inbox-browser.ts'
import { CALLS, SCENARIO_POLICY } from '../support/inbox-scenario.ts'
import { readToEnd } from '../support/read-to-end.ts'

const SLOW = { timeout: 60_000 }

describe.skipIf(findChromium() === undefined)('a passkey', () => {
  let inbox: InboxBrowser
  beforeAll(async () => {
    inbox = await openInboxBrowser(`${SCENARIO_POLICY}defaults: { passkey: high }\n`)
  }, 60_000)
  afterAll(() => inbox?.close())
  afterEach(() => expect(inbox.complaints()).toEqual([]))

  it('is made with a code from the terminal, and approves what policy demands one for', SLOW, async () => {
    const id = await inbox.service.hold(CALLS.deploy)
    const page = await inbox.page('desktop', `/held/${id}`)
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.getByText('Add a passkey.').waitFor()
    await page.getByLabel('Your name').fill('Ana with a passkey')
    await page.getByLabel('Code').fill(inbox.service.code())
    await page.getByRole('button', { name: 'Enrol a passkey' }).click()
    await page.getByText('Add a passkey.').waitFor({ state: 'detached' })
    await readToEnd(page)
    for (let act = 0; act < 2; act += 1) {
      await page.locator('.cs-bar[data-armed=true]').waitFor()
      await page.getByRole('button', { name: /^Approve/ }).click()
    }
    await expect.poll(() => page.locator('.cs-receipt').textContent()).toMatch(/by Ana with a passkey/)
    await page.close()
  })
})
