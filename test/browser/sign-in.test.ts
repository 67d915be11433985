import { expectNoViolations } from '@countersign/testing/browser/axe'
import { findChromium } from '@countersign/testing/browser/chromium'
import { answered, type InboxBrowser, openInboxBrowser, SIZES, type Size } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const STRANGER = 'You are not signed in.'
const live = (page: Page) => page.locator('.link-live, .pane-link-live').filter({ visible: true }).waitFor()

describe.skipIf(findChromium() === undefined)('the sign-in page', () => {
  let inbox: InboxBrowser
  beforeAll(async () => {
    inbox = await openInboxBrowser()
  })
  afterAll(() => inbox?.close())
  afterEach(() => expect(inbox.complaints(answered(401))).toEqual([])) // from checking the sign-in

  async function stranger(size: Size, path = '/'): Promise<Page> {
    const context = await inbox.browser.newContext(SIZES[size])
    const page = await context.newPage()
    inbox.listen(page)
    await page.goto(`${inbox.service.url}${path}`)
    await page.getByText(STRANGER).waitFor()
    return page
  }

  it.each(['/', '/#', '/sign-in'])('accepts a link opened at %s and keeps no ticket in the URL', async (path) => {
    const page = await stranger('desktop', path)
    const link = inbox.service.link()
    await page.goto(link)
    await live(page)
    expect(new URL(page.url()).hash).toBe('')
    await page.goBack()
    expect(page.url()).not.toContain('ticket')
    await page.context().close()
  })

  it('accepts a second link after a used one', async () => {
    const page = await stranger('desktop')
    await page.evaluate(() => location.assign('/#ticket=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'))
    await page.getByRole('alert').getByText('this link was used or is too old').waitFor()
    expect(page.url()).not.toContain('ticket')
    await page.goto(inbox.service.link())
    await live(page)
    await page.context().close()
  })

  it('follows a sign-in of another tab and keeps its URL', async () => {
    const id = await inbox.service.hold(CALLS.server)
    const page = await stranger('desktop')
    const card = await page.context().newPage()
    inbox.listen(card)
    await card.goto(`${inbox.service.url}/held/${id}`)
    await card.getByText(STRANGER).waitFor()
    const other = await page.context().newPage()
    inbox.listen(other)
    await other.goto(inbox.service.link())
    for (const tab of [page, card, other]) await live(tab)
    expect(card.url()).toBe(`${inbox.service.url}/held/${id}`)
    await page.context().close()
  })

  it.each(Object.keys(SIZES) as Size[])('has a field for the link, for installed inboxes (%s)', async (size) => {
    const id = await inbox.service.hold(CALLS.server)
    const page = await stranger(size, `/held/${id}`)
    const field = page.getByRole('form', { name: 'Sign in' }).getByLabel('Link')
    await field.fill('countersign inbox')
    await page.keyboard.press('Enter')
    await page.getByText('That is not a sign-in link.').waitFor()
    await expectNoViolations(page, 'signing in')
    await field.fill(inbox.service.link())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await live(page)
    expect(page.url()).toBe(`${inbox.service.url}/held/${id}`)
    await page.context().close()
  })
})
