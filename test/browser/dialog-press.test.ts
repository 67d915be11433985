import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchBrowser } from '../support/browser.ts'
import { violations } from '../support/inbox-axe.ts'
import { SIZES, type Size } from '../support/inbox-browser.ts'
import { CALLS } from '../support/inbox-scenario.ts'
import { type InboxService, startInboxService } from '../support/inbox-service.ts'

const SLOW = { timeout: 60_000 }
const EXAMPLE = fileURLToPath(new URL('../../examples/react-held', import.meta.url))
const dialog = (page: Page) => page.getByRole('alertdialog')
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const isReady = (page: Page, name: string) =>
  expect.poll(() => button(page, name).getAttribute('aria-disabled')).toBe('false')
const label = (issue: number) => ({
  ...CALLS.server,
  tool: { name: 'add_label', server: 'tracker', description: 'Adds a label.' },
  args: { issue, label: 'q4' },
})

describe.skipIf(findChromium() === undefined)('a press in the approval dialog', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-press-')))
  const enrolled = new Map<Size, Promise<Page>>()
  let service: InboxService
  let browser: Browser
  beforeAll(async () => {
    const outDir = join(folder, 'dist')
    await build({ root: EXAMPLE, configFile: join(EXAMPLE, 'vite.config.ts'), logLevel: 'silent', build: { outDir } })
    service = await startInboxService(folder, undefined, undefined, outDir)
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => service.clear())

  async function enrol(size: Size): Promise<Page> {
    const page = await (await browser.newContext(SIZES[size])).newPage()
    const body = JSON.stringify({ ticket: new URL(service.link()).hash.slice('#ticket='.length) })
    await page.goto(service.url)
    await page.evaluate(
      (text) =>
        fetch('/api/v1/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }),
      body,
    )
    await page.reload()
    await page.getByText('0 held').waitFor()
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Code').fill(service.code())
    await page.getByRole('button', { name: 'Enrol this page' }).click()
    await page.getByText('Enrolled.').waitFor()
    return page
  }

  async function open(size: Size = 'desktop', before?: () => void): Promise<Page> {
    const first = enrolled.get(size) ?? enrol(size)
    enrolled.set(size, first)
    const page = await (await first).context().newPage()
    page.setDefaultTimeout(30_000)
    if (before !== undefined) await page.addInitScript(before)
    await page.goto(service.url)
    return page
  }

  const heldCount = async () => (await service.opened.desk.list()).length

  it('that is long denies one call and no other', SLOW, async () => {
    const page = await open()
    await page.getByText('0 held').waitFor()
    for (const issue of [701, 702, 703, 704]) await service.hold(label(issue))
    await isReady(page, 'Deny')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Deny')
    await page.keyboard.down('Enter')
    await page.getByText('3 held').waitFor()
    await isReady(page, 'Deny')
    for (let repeat = 0; repeat < 12; repeat += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect([await heldCount(), await page.getByText('3 held').count()]).toEqual([3, 1])
    await page.close()
  })

  it('counts only once its question has stood: the second of two quick ones denies nothing', SLOW, async () => {
    const page = await open()
    for (const issue of [801, 802, 803]) await service.hold(label(issue))
    await isReady(page, 'Deny')
    // In the very task that draws the next question, so that no slow machine lets it stand before.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('[role=alertdialog]')?.textContent?.includes('802') !== true) return
        observer.disconnect()
        const deny = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Deny')
        for (let press = 0; press < 3; press += 1) deny?.click()
        document.body.dataset['pressed'] = String(deny !== undefined)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await button(page, 'Deny').click()
    await page.locator('body[data-pressed=true]').waitFor()
    await isReady(page, 'Deny')
    expect(await heldCount()).toBe(2)
    await page.close()
  })

  it('is sent once, says so, and says why when it did not count', SLOW, async () => {
    const page = await open()
    await service.hold(label(900))
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let count = 0
    await page.route('**/decision', async (route) => {
      count += 1
      arrived.resolve()
      await go.promise
      await route.fulfill({ status: 503, json: { error: { code: 'CS_TEST', message: 'come back later' } } })
    })
    await isReady(page, 'Deny')
    await button(page, 'Deny').click()
    await arrived.promise
    await button(page, 'Sent…').waitFor()
    await button(page, 'Deny').click({ force: true })
    go.resolve()
    await dialog(page).getByText('come back later').waitFor()
    expect([count, await heldCount()]).toEqual([1, 1])
    await isReady(page, 'Deny')
    await page.close()
  })

  it.each(Object.keys(SIZES) as Size[])(
    'on Allow all takes another, its scope spelled out (%s)',
    SLOW,
    async (size) => {
      const page = await open(size)
      const id = await service.hold(label(950))
      await isReady(page, 'Allow all from this tool')
      const [all, allow, deny] = await Promise.all(
        ['Allow all from this tool', 'Allow', 'Deny'].map((name) => button(page, name).boundingBox()),
      )
      if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/dialog-${size}.png` })
      // Where a hand looks for Approve in the inbox stands Allow.
      if (size === 'phone') expect([allow?.y, (all?.y ?? 0) > (deny?.y ?? 0) + 40]).toEqual([deny?.y, true])
      await button(page, 'Allow all from this tool').click()
      await dialog(page)
        .getByText(/You allow this call, and from now on without asking/)
        .waitFor()
      expect(await dialog(page).locator('.cs-again').textContent()).toMatch(/add_label.*session/)
      await dialog(page)
        .getByText(/Would have matched \d+ of your last/)
        .waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Back')
      expect({ found: await violations(page) }).toEqual({ found: [] })
      if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/dialog-all-${size}.png` })
      expect(await service.opened.desk.grants().list()).toEqual([])
      await isReady(page, 'Allow all from this tool')
      await button(page, 'Allow all from this tool').click()
      await expect.poll(async () => (await service.opened.desk.past(id))?.decision?.kind).toBe('approve')
      const grants = await service.opened.desk.grants().list()
      expect(grants).toHaveLength(1)
      for (const grant of grants) await service.opened.desk.grants().revoke(grant.id, 'Ana')
      await page.close()
    },
  )

  it('is not refused by a browser whose clock is ahead, and each receipt names its call', SLOW, async () => {
    const page = await open('desktop', () => {
      const { now } = Date
      Date.now = () => now() + 5 * 3_600_000
    })
    await page.getByText('0 held').waitFor()
    for (const issue of [961, 962]) {
      await service.hold(label(issue))
      await isReady(page, 'Allow')
      expect(await dialog(page).locator('.cs-countdown').textContent()).toMatch(/left, denied at/)
      await button(page, 'Allow').click()
      await dialog(page).waitFor({ state: 'detached' })
    }
    const words = await page.locator('.cs-receipt-effect').allTextContents()
    expect(words.map((text) => /issue: (\d+)/.exec(text)?.[1])).toEqual(['962', '961'])
    await page.close()
  })
})
