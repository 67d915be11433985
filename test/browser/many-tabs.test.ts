import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { approve, armed, receipt } from '../support/card.ts'
import { SIZES } from '../support/inbox-browser.ts'
import { enrolPage } from '../support/inbox-page.ts'
import { type InboxProcess, startInboxProcess } from '../support/inbox-process.ts'
import { CALLS } from '../support/inbox-scenario.ts'

/** One more than a browser has connections for one host. */
const TABS = 7

describe.skipIf(findChromium() === undefined)('many tabs of one inbox', () => {
  let service: InboxProcess
  let browser: Browser
  let context: BrowserContext
  let tabs: Page[] = []
  /** Those that have asked for a stream, the last of them last. */
  let streams: Page[] = []

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
    streams = []
    service.thaw()
    await service.revive()
    await service.clear()
  })

  /** The first of them shows the call. */
  async function open(id: string, count = TABS): Promise<readonly [first: Page, last: Page]> {
    for (let at = 0; at < count; at += 1) {
      const tab = await context.newPage()
      tab.setDefaultTimeout(30_000)
      tab.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/v1/stream') streams.push(tab)
      })
      tabs.push(tab)
      await tab.goto(at === 0 ? `${service.url}/held/${id}` : service.url)
      await tab.locator('.link-live').waitFor()
    }
    const [first, last] = [tabs.at(0), tabs.at(-1)]
    if (first === undefined || last === undefined) throw new Error('no tab is open')
    return [first, last]
  }

  function leader(): Page {
    const last = streams.at(-1)
    if (last === undefined) throw new Error('no tab has a stream')
    return last
  }

  const others = (than: Page): readonly Page[] => tabs.filter((tab) => tab !== than)
  const held = (tab: Page, count: number) => tab.getByText(`${count} held`).first().waitFor()

  async function decide(tab: Page, id: string): Promise<void> {
    if (!tab.url().endsWith(id)) await tab.locator(`.row[href="/held/${id}"]`).click()
    await armed(tab)
    await approve(tab).click()
    await expect.poll(() => receipt(tab).first().textContent()).toMatch(/(approved|completed) by Ana/)
  }

  it('have one stream between them, and each of them decides', async () => {
    const [one, two] = [await service.hold(CALLS.write), await service.hold(CALLS.server)]
    const [first, last] = await open(one)
    expect(streams).toEqual([first])
    for (const tab of tabs) await held(tab, 2)
    await decide(last, two)
    for (const tab of tabs) await held(tab, 1)
    await decide(first, one)
    for (const tab of tabs) await tab.getByRole('heading', { name: /Nothing is held|All clear/ }).waitFor()
    expect(streams).toEqual([first])
  })

  it('go on from the last event when the tab that hears the service is closed', async () => {
    const id = await service.hold(CALLS.write)
    const [first, last] = await open(id, 3)
    expect(leader()).toBe(first)
    await first.close()
    const ids = [await service.hold(CALLS.server), id]
    for (const tab of others(first)) await held(tab, 2)
    expect(others(first)).toContain(leader())
    for (const next of ids) await decide(last, next)
    expect(streams.length).toBe(2)
  })

  it('go on at once when the tab that hears the service is about to be frozen', async () => {
    const [first, last] = await open(await service.hold(CALLS.write), 3)
    // What the browser says before it freezes a page, which it does to hidden ones only: this one goes on, and follows.
    await first.evaluate(() => void document.dispatchEvent(new Event('freeze')))
    await expect.poll(leader).not.toBe(first)
    const id = await service.hold(CALLS.server)
    for (const tab of tabs) await held(tab, 2)
    await decide(last, id)
    for (const tab of tabs) await held(tab, 1)
    expect(streams.length).toBe(2)
  })

  it('are not live for long when the tab that hears the service is stuck, and go on without it', async () => {
    const [first, last] = await open(await service.hold(CALLS.write), 3)
    const debug = await context.newCDPSession(first)
    await debug.send('Debugger.enable')
    await debug.send('Debugger.pause')
    const id = await service.hold(CALLS.server)
    await last.locator('.link-reconnecting').waitFor()
    await last.locator('.link-live').waitFor()
    await decide(last, id)
    await debug.send('Debugger.disable')
    await held(first, 1)
    await first.locator('.link-live').waitFor()
    expect(leader()).not.toBe(first)
  })

  it('all say that the service is gone, and are live again after a restart', async () => {
    const [one, two] = [await service.hold(CALLS.write), await service.hold(CALLS.server)]
    const [first, last] = await open(one)
    await service.kill()
    for (const tab of tabs) await tab.locator('.link-reconnecting, .link-offline').waitFor()
    await service.revive()
    for (const tab of tabs) await tab.locator('.link-live').waitFor()
    await decide(last, two)
    await decide(first, one)
    expect(new Set(streams)).toEqual(new Set([first]))
  })
})
