import { approve, armed, receipt } from '@countersign/testing/browser/card'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import { SIZES } from '@countersign/testing/inbox/browser'
import { openEnrolment } from '@countersign/testing/inbox/enrolment'
import { CALLS, SCENARIO_POLICY } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

/** Adds a virtual authenticator to a page. */
async function addAuthenticator(page: Page): Promise<void> {
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
}

async function press(page: Page, acts: number): Promise<void> {
  for (let act = 0; act < acts; act += 1) {
    await armed(page)
    await approve(page).click()
  }
}

inboxTests('a passkey', { policy: `${SCENARIO_POLICY}defaults: { passkey: high }\n` }, (inbox) => {
  async function enrol(page: Page, name: string): Promise<void> {
    await openEnrolment(page)
    await page.getByLabel('Your name').fill(name)
    await page.getByLabel('Code').fill(inbox.service.code())
    await page.getByRole('button', { name: 'Enroll a passkey' }).click()
    await page.getByLabel('Your name').waitFor({ state: 'detached' })
  }

  it('is enrolled with a code and approves a call that requires one', async () => {
    const id = await inbox.service.hold(CALLS.deploy)
    const page = await inbox.page('desktop', `/held/${id}`)
    await addAuthenticator(page)
    await page.getByText('Add a passkey.').waitFor()
    await enrol(page, 'Ana with a passkey')
    await readToEnd(page)
    await press(page, 2)
    await expect.poll(() => receipt(page).textContent()).toMatch(/by Ana with a passkey/)
    await page.close()
  })

  it('of a second device decides without an enrolled browser key', async () => {
    const id = await inbox.service.hold(CALLS.deploy)
    const context = await inbox.browser.newContext(SIZES.phone)
    const page = await context.newPage()
    inbox.listen(page)
    await addAuthenticator(page)
    await page.goto(inbox.service.link())
    await page.getByText('This browser’s key is not enrolled.').waitFor()
    await enrol(page, 'Bea’s phone')
    await page.goto(`${inbox.service.url}/held/${id}`)
    await page.getByLabel('Decide with passkey').waitFor()
    await readToEnd(page)
    await press(page, 2)
    await expect.poll(() => receipt(page).textContent()).toMatch(/by Bea’s phone/)
    const medium = await inbox.service.hold(CALLS.move)
    await page.goto(`${inbox.service.url}/held/${medium}`)
    await press(page, 1)
    await expect.poll(() => receipt(page).textContent()).toMatch(/by Bea’s phone/)
    await context.close()
  })

  it('can always be added, and is offered if the browser cannot create a key', async () => {
    const context = await inbox.browser.newContext(SIZES.desktop)
    await context.addInitScript(() => {
      Object.defineProperty(SubtleCrypto.prototype, 'generateKey', {
        value: () => Promise.reject(new DOMException('no Ed25519', 'NotSupportedError')),
      })
    })
    const page = await context.newPage()
    inbox.listen(page)
    await addAuthenticator(page)
    await page.goto(inbox.service.link())
    await page.getByText('This browser does not support Ed25519 keys; use a passkey').waitFor()
    expect(await page.getByRole('button', { name: 'Enroll this browser' }).count()).toBe(0)
    await enrol(page, 'Cleo')
    await page.getByRole('button', { name: 'add a passkey' }).click()
    await page.getByRole('dialog', { name: 'Add a passkey for this device' }).getByLabel('Code').waitFor()
    await context.close()
  })
})
