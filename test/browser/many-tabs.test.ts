import { approve, armed, receipt } from '@countersign/testing/browser/card'
import { findChromium, launchBrowser } from '@countersign/testing/browser/chromium'
import { SIZES } from '@countersign/testing/inbox/browser'
import { enrolPage } from '@countersign/testing/inbox/enrolment'
import { type InboxProcess, startInboxProcess } from '@countersign/testing/inbox/process'
import { CALLS } from '@countersign/testing/inbox/scenario'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** One more than a browser's connections per host. */
const TABS = 7

describe.skipIf(findChromium() === undefined)('many tabs of one inbox', () => {
  let service: InboxProcess
  let browser: Browser
  let context: BrowserContext
  let tabs: Page[] = []
  /** The open streams, with their tabs. */
  const streams = new Map<Request, Page>()

  beforeAll(async () => {
    service = await startInboxProcess()
    browser = await launchBrowser()
    context = await browser.newContext(SIZES.desktop)
    const page = await context.newPage()
    await enrolPage(page, service, 'Ana')
    await page.close()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })
  afterEach(async () => {
    for (const tab of tabs) await tab.close()
    tabs = []
    streams.clear()
    service.thaw()
    await service.revive()
    await service.clear()
  })

  /** Opens live tabs, the first one at this call. */
  async function open(id: string, count = TABS): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const tab = await context.newPage()
      tab.setDefaultTimeout(30_000)
      tab.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/v1/stream') streams.set(request, tab)
      })
      tab.on('requestfailed', (request) => void streams.delete(request))
      tab.on('requestfinished', (request) => void streams.delete(request))
      tabs.push(tab)
      await tab.goto(at === 0 ? `${service.url}/held/${id}` : service.url)
      await tab.locator('.link-live').waitFor()
    }
  }

  /** The only tab with a stream. On a busy machine it need not be the first, since slow leaders are replaced. */
  async function leader(): Promise<Page> {
    await expect.poll(() => streams.size, { timeout: 30_000 }).toBe(1)
    return [...streams.values()][0] ?? expect.fail('no tab has a stream')
  }

  async function close(tab: Page): Promise<void> {
    await tab.close()
    tabs = others(tab)
    for (const [request, of] of streams) if (of === tab) streams.delete(request)
  }

  const others = (than: Page): Page[] => tabs.filter((tab) => tab !== than)
  const tabAt = (at: number): Page => tabs.at(at) ?? expect.fail('no such tab')
  const held = (tab: Page, count: number) => tab.getByText(`${count} held`).first().waitFor()

  async function decide(tab: Page, id: string): Promise<void> {
    if (!tab.url().endsWith(id)) await tab.locator(`.row[href="/held/${id}"]`).click()
    await armed(tab)
    await approve(tab).click()
    await expect.poll(() => receipt(tab).first().textContent()).toMatch(/(approved|completed) by Ana/)
  }

  it('share one stream, and each can decide', async () => {
    const [one, two] = [await service.hold(CALLS.write), await service.hold(CALLS.server)]
    await open(one)
    await leader()
    for (const tab of tabs) await held(tab, 2)
    await decide(tabAt(-1), two)
    for (const tab of tabs) await held(tab, 1)
    await decide(tabAt(0), one)
    for (const tab of tabs) await tab.getByRole('heading', { name: /No held calls|All clear/ }).waitFor()
    await leader()
  })

  it('continue when the leader is closed', async () => {
    const id = await service.hold(CALLS.write)
    await open(id, 3)
    await close(await leader())
    const ids = [await service.hold(CALLS.server), id]
    for (const tab of tabs) await held(tab, 2)
    await leader()
    const last = tabAt(-1)
    await last.goto(service.url)
    for (const next of ids) await decide(last, next)
  })

  it('continue at once when the leader is frozen', async () => {
    await open(await service.hold(CALLS.write), 3)
    const leading = await leader()
    // Browsers fire this event before they freeze a hidden page. This page is visible, so it keeps running and follows.
    await leading.evaluate(() => void document.dispatchEvent(new Event('freeze')))
    await expect.poll(leader).not.toBe(leading)
    const id = await service.hold(CALLS.server)
    for (const tab of tabs) await held(tab, 2)
    await decide(others(leading)[0] ?? expect.fail('no other tab'), id)
    for (const tab of tabs) await held(tab, 1)
  })

  it('replace a leader that is stuck', async () => {
    await open(await service.hold(CALLS.write), 3)
    const leading = await leader()
    const other = others(leading)[0] ?? expect.fail('no other tab')
    const debug = await context.newCDPSession(leading)
    await debug.send('Debugger.enable')
    await debug.send('Debugger.pause')
    const id = await service.hold(CALLS.server)
    await other.locator('.link-reconnecting').waitFor()
    await other.locator('.link-live').waitFor()
    await decide(other, id)
    await debug.send('Debugger.disable')
    await held(leading, 1)
    await leading.locator('.link-live').waitFor()
    await leader()
  })

  it('all show that the service is gone, and recover after a restart', async () => {
    const [one, two] = [await service.hold(CALLS.write), await service.hold(CALLS.server)]
    await open(one, 3)
    await service.kill()
    for (const tab of tabs) await tab.locator('.link-reconnecting, .link-offline').waitFor()
    await service.revive()
    for (const tab of tabs) await tab.locator('.link-live').waitFor()
    await decide(tabAt(-1), two)
    await decide(tabAt(0), one)
    await leader()
  })
})
