import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { type InboxBrowser, openInboxBrowser } from '../support/inbox-browser.ts'
import { CALLS } from '../support/inbox-scenario.ts'

const SLOW = { timeout: 90_000 }

describe.skipIf(findChromium() === undefined)('an open inbox', () => {
  let inbox: InboxBrowser
  beforeAll(async () => {
    inbox = await openInboxBrowser()
  }, 60_000)
  afterAll(() => inbox?.close())
  afterEach(() => inbox.service.clear())

  it('shows a new call without a reload', SLOW, async () => {
    const page = await inbox.page('desktop')
    await page.getByText('Nothing is held').waitFor()
    await inbox.service.hold(CALLS.move)
    await page.getByRole('link', { name: /Moves/ }).waitFor()
    await page.getByText('1 held').first().waitFor()
    expect(await page.title()).toBe('(1) Countersign')
    await page.close()
  })

  it('shows what ran under notify, and asks nothing', SLOW, async () => {
    const page = await inbox.page('desktop')
    await page.locator('.link-live').waitFor()
    await inbox.service.hold({ tool: 'note', args: { text: 'hello' } })
    await page.getByRole('region', { name: 'Notices' }).getByText('note').first().waitFor()
    await page.getByText('Nothing is held').waitFor()
    await page.close()
  })

  it('says that it is offline, decides nothing then, and is live again when the service is back', SLOW, async () => {
    const id = await inbox.service.hold(CALLS.write)
    const page = await inbox.page('desktop', `/held/${id}`)
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    await inbox.service.kill()
    await page.locator('.link-reconnecting').waitFor()
    const button = page.getByRole('button', { name: /^Approve/ })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await page.locator('.link-offline').waitFor({ timeout: 15_000 })
    await button.click({ force: true })
    await page.getByText('Offline: nothing can be decided until the service answers again.').waitFor()
    await inbox.service.revive()
    await page.locator('.link-live').waitFor({ timeout: 20_000 })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
    await button.click()
    await page.locator('.cs-receipt').waitFor()
    inbox.complaints() // the browser itself writes every failed connection to its console
    await page.close()
  })

  it('stays quick with 300 held calls: few rows are drawn, and the longest frame is told', SLOW, async () => {
    for (let at = 0; at < 300; at += 1)
      await inbox.service.hold({ ...CALLS.server, args: { title: `issue ${at}`, priority: at } })
    const page = await inbox.page('desktop')
    await page.getByText('300 held').first().waitFor()
    expect(await page.locator('.row').count()).toBeLessThan(40)
    await page.locator('.rows').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(() => page.locator('.rows-one[aria-posinset="300"]').count()).toBe(1)
    expect(await page.locator('.row').count()).toBeLessThan(40)
    const longest = await page.evaluate(async () => {
      const frame = document.querySelector('.rows')
      let last = performance.now()
      let most = 0
      for (let step = 0; step < 60; step += 1) {
        frame?.scrollTo(0, (frame.scrollHeight / 60) * step)
        await new Promise((resolve) => requestAnimationFrame(resolve))
        most = Math.max(most, performance.now() - last)
        last = performance.now()
      }
      return most
    })
    console.log(`300 held calls: the longest frame while scrolling was ${longest.toFixed(0)} ms`)
    for (let press = 0; press < 20; press += 1) await page.keyboard.press('j')
    await expect.poll(() => page.locator('.row[aria-current]').count()).toBe(1)
    expect(inbox.complaints()).toEqual([])
    await page.close()
  })

  it('lists a large call at once, reads it when it is opened, and decides it only then', SLOW, async () => {
    const large = { ...CALLS.server, args: { title: 'a large issue', body: `${'line of text\n'.repeat(5_000)}end` } }
    const id = await inbox.service.hold(large)
    await inbox.service.hold({ ...CALLS.server, args: { title: 'a small issue' } })
    const page = await inbox.page('desktop')
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    const whole = Promise.withResolvers<void>()
    let tries = 0
    await page.route(`**/api/v1/held/${id}`, async (route) => {
      tries += 1
      if (tries === 1) return route.fulfill({ status: 500, json: { error: { code: 'CS_X', message: 'not now' } } })
      await whole.promise
      return route.continue()
    })
    await page.getByText('2 held').first().waitFor()
    expect(asked).not.toContain(`/api/v1/held/${id}`)
    await page.locator(`.row[href="/held/${id}"]`).click()
    await page.getByText('It could not be read: not now.').waitFor()
    await page.getByRole('button', { name: 'Read it again' }).click()
    await page.getByText('It can be decided once it is here.').waitFor()
    await page.keyboard.press('a')
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    whole.resolve()
    await page.locator('.cs-bar[data-armed=true]').waitFor({ timeout: 20_000 })
    await page.getByRole('button', { name: /^Reject/ }).click()
    await page
      .getByRole('button', { name: /^Reject/ })
      .last()
      .click()
    await page.locator('.cs-receipt').waitFor()
    inbox.complaints() // the browser itself writes an answer of 500 to its console
    await page.close()
  })

  it('reads large calls of a batch before any of them can be approved', SLOW, async () => {
    for (const title of ['one', 'two'])
      await inbox.service.hold({ ...CALLS.server, args: { title, body: 'line of text\n'.repeat(5_000) } })
    const page = await inbox.page('desktop')
    const whole = Promise.withResolvers<void>()
    await page.route('**/api/v1/held/*', async (route) => {
      await whole.promise
      return route.continue()
    })
    await page.getByRole('link', { name: /2 equal medium calls/ }).click()
    await page.getByText('They can be decided once all are here.').waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    whole.resolve()
    await page.getByRole('button', { name: /^Approve 2/ }).waitFor({ timeout: 20_000 })
    expect(await page.getByRole('checkbox').count()).toBe(2)
    await page.close()
  })

  it('asks to sign in when the link was used already, and never shows a held call without', SLOW, async () => {
    await inbox.service.hold(CALLS.move)
    const link = inbox.service.link()
    const context = await inbox.browser.newContext()
    const first = await context.newPage()
    await first.goto(link)
    await first.getByText('This browser may look, but not decide.').waitFor()
    expect(first.url()).not.toContain('ticket')
    const other = await (await inbox.browser.newContext()).newPage()
    await other.goto(link)
    await other.getByText('countersign inbox', { exact: true }).waitFor()
    await other.goto(inbox.service.url)
    await other.getByText('You are not signed in.').waitFor()
    expect(await other.getByText('Moves').count()).toBe(0)
    await context.close()
    inbox.complaints()
  })
})
