import { armed, receipt, stage } from '@countersign/testing/browser/card'
import { findChromium, launchBrowser } from '@countersign/testing/browser/chromium'
import { EACH_SIZE, SIZES, type Size } from '@countersign/testing/inbox/browser'
import { enrolPage } from '@countersign/testing/inbox/enrolment'
import { type InboxProcess, startInboxProcess } from '@countersign/testing/inbox/process'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize } from '@countersign/testing/inbox/suite'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** The page is offline this long after it lost the stream. */
const OFFLINE_AFTER_MS = 8_000
const LOST = 'The service did not respond, so your decision may or may not have arrived.'
const approve = (page: Page) => page.getByRole('button', { name: /^(Approve|Sending…)/ })
/** The visible connection state while a call is open. */
const link = (page: Page, size: Size, state: string) =>
  page.locator(size === 'phone' ? `.pane-link-${state}` : `.link-${state}`)

describe.skipIf(findChromium() === undefined)('an inbox whose service', () => {
  let service: InboxProcess
  let browser: Browser
  const contexts = new Map<Size, BrowserContext>()
  beforeAll(async () => {
    service = await startInboxProcess()
    browser = await launchBrowser()
    for (const size of EACH_SIZE) {
      const context = await browser.newContext(SIZES[size])
      contexts.set(size, context)
      const page = await context.newPage()
      await enrolPage(page, service, size === 'phone' ? 'Bea' : 'Ana')
      await page.evaluate(async () => void (await navigator.serviceWorker.ready))
      await page.close()
    }
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })
  afterEach(async () => {
    service.thaw()
    await service.revive()
    await service.clear()
  })

  async function open(size: Size, id: string): Promise<Page> {
    const page = await contexts.get(size)?.newPage()
    if (page === undefined) throw new Error(`no browser of size ${size}`)
    page.setDefaultTimeout(30_000)
    await page.goto(`${service.url}/held/${id}`)
    await armed(page)
    return page
  }

  atEachSize((size) => {
    it('was killed decides nothing, never claims that nothing is held, and recovers after a restart', async () => {
      const id = await service.hold(CALLS.write)
      const page = await open(size, id)
      await page.clock.install()
      await link(page, size, 'live').waitFor()
      await service.kill()
      await link(page, size, 'reconnecting').waitFor()
      expect(await approve(page).getAttribute('aria-disabled')).toBe('true')
      await page.clock.fastForward(OFFLINE_AFTER_MS)
      await link(page, size, 'offline').waitFor()
      await approve(page).click({ force: true })
      await page.getByText('Offline. You can decide again when the service responds.').waitFor()

      await page.goto(service.url)
      await page.getByRole('heading', { name: 'Held calls unavailable' }).waitFor()
      await page.clock.fastForward(OFFLINE_AFTER_MS)
      await page.locator('.link-offline').waitFor()
      const words = (await page.locator('main').textContent()) ?? ''
      expect(words).toContain('The service is not responding. Held calls can’t be updated.')
      expect(words).not.toMatch(/No held calls|All clear|appears here/)
      expect(await page.locator('.brand img').evaluate((image: HTMLImageElement) => image.naturalWidth)).not.toBe(0)

      await service.revive()
      await page.getByRole('heading', { name: /^1 held(?! at)/ }).waitFor()
      await page.getByRole('link', { name: /Writes 14 lines/ }).click()
      await armed(page)
      await approve(page).click()
      await expect.poll(() => receipt(page).textContent()).toMatch(/(approved|completed) by (Ana|Bea)/)
      await page.close()
    })

    it('is frozen is not live for long, and a sent decision is reported as uncertain', async () => {
      const id = await service.hold(CALLS.write)
      const page = await open(size, id)
      service.freeze()
      await approve(page).click()
      await expect.poll(() => stage(page)).toBe('sent')
      expect(await approve(page).getAttribute('aria-disabled')).toBe('true')
      await link(page, size, 'reconnecting').waitFor()
      await page.locator('.cs-note').getByText(LOST).waitFor()
      expect(await approve(page).getAttribute('aria-disabled')).toBe('true')
      service.thaw()
      // The service may or may not have accepted the timed-out decision; the card must match its state.
      const told = page.locator('.cs-receipt, .cs-note').filter({ hasText: /by (Ana|Bea)|Reconnected/ })
      await told.waitFor()
      await expect
        .poll(async () => [(await receipt(page).count()) === 0, (await service.opened.desk.view(id)) !== undefined])
        .toSatisfy(([isUndecided, isHeld]) => isUndecided === isHeld)
      await page.close()
    })

    it('never got the decision shows the call as held and accepts another decision', async () => {
      const id = await service.hold(CALLS.write)
      const page = await open(size, id)
      await page.route('**/decision', (route) => route.abort('connectionreset'), { times: 1 })
      const wasRead = Promise.withResolvers<void>()
      await page.route('**/stream?*', (route) => wasRead.promise.then(() => route.continue()), { times: 1 })
      await approve(page).click()
      await page.locator('.cs-note').getByText(LOST).waitFor()
      await link(page, size, 'reconnecting').waitFor()
      wasRead.resolve()
      await page.getByText('Reconnected. This call is still held').waitFor()
      expect((await service.opened.desk.view(id))?.id).toBe(id)
      await armed(page)
      await expect.poll(() => approve(page).getAttribute('aria-disabled')).toBe('false')
      await approve(page).click()
      await expect.poll(() => receipt(page).textContent()).toMatch(/(approved|completed) by (Ana|Bea)/)
      await page.close()
    })
  })

  it('is gone shows the error on pages never opened before, and fills them later', async () => {
    const page = await contexts.get('desktop')?.newPage()
    if (page === undefined) throw new Error('no browser')
    page.setDefaultTimeout(30_000)
    await page.goto(service.url)
    await page.locator('.link-live').waitFor()
    await service.kill()
    await page.locator('.link-offline').waitFor()
    await page.getByRole('link', { name: 'Tools' }).click()
    await page.getByRole('heading', { name: 'Tools' }).waitFor()
    await page.getByText('the service is not responding').first().waitFor()
    await page.goto(`${service.url}/charts`)
    await page.getByRole('heading', { name: 'Charts' }).waitFor()
    await page.getByText('the service is not responding').first().waitFor()
    await service.revive()
    await page.locator('.link-live').waitFor()
    await page.getByText('the service is not responding').first().waitFor({ state: 'detached' })
    await page.close()
  })

  it('is gone shows an error for pages that are not cached, and loads them later', async () => {
    const context = await browser.newContext({ ...SIZES.desktop, serviceWorkers: 'block' })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await enrolPage(page, service, 'Cleo')
    await page.locator('.link-live').waitFor()
    await service.kill()
    await page.locator('.link-reconnecting').waitFor()
    await page.getByRole('link', { name: 'Grants' }).click()
    await page.getByText('This page can’t load because the service is not responding.').waitFor()
    await service.revive()
    await page.getByRole('heading', { name: 'Grants' }).waitFor()
    await context.close()
  })
})
