import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchBrowser } from '../../test/support/browser.ts'
import { violations } from '../../test/support/inbox-axe.ts'
import { CALLS } from '../../test/support/inbox-scenario.ts'
import { type InboxService, startInboxService } from '../../test/support/inbox-service.ts'

const SLOW = { timeout: 60_000 }
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'May this tool run?' })
const allow = (page: Page) => dialog(page).getByRole('button', { name: 'Allow', exact: true })
const receipt = (page: Page) => page.locator('.cs-receipt').first()

describe.skipIf(findChromium() === undefined)('an app that asks about the calls of a gate', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-held-')))
  let service: InboxService
  let browser: Browser
  let context: BrowserContext
  beforeAll(async () => {
    const [root, outDir] = [import.meta.dirname, join(folder, 'dist')]
    await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'silent', build: { outDir } })
    // The service shows the page in the place of the inbox, with every guard that the inbox has.
    service = await startInboxService(folder, undefined, undefined, outDir)
    browser = await launchBrowser()
    context = await browser.newContext()
    const page = await context.newPage()
    const ticket = new URL(service.link()).hash.slice('#ticket='.length)
    await page.goto(service.url)
    await page.getByText('Sign in: countersign inbox').waitFor()
    await page.evaluate(
      (body) => fetch('/api/v1/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify({ ticket }),
    )
    await page.reload()
    await page.getByText('0 held').waitFor()
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Code').fill(service.code())
    await page.getByRole('button', { name: 'Enrol this page' }).click()
    await page.getByText('Enrolled.').waitFor()
    await page.close()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => service.clear())

  async function open(): Promise<Page> {
    const page = await context.newPage()
    await page.goto(service.url)
    return page
  }

  const isReady = (page: Page) => expect.poll(() => allow(page).getAttribute('aria-disabled')).not.toBe('true')

  it('allows a call as it comes in, and shows the receipt', SLOW, async () => {
    const page = await open()
    await page.getByText('0 held').waitFor()
    const id = await service.hold(CALLS.write)
    await dialog(page).getByText('write_file').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Deny')
    expect({ found: await violations(page) }).toEqual({ found: [] })
    await isReady(page)
    await allow(page).click()
    await expect.poll(() => receipt(page).textContent()).toMatch(/(approved|completed) by Ana/)
    await dialog(page).waitFor({ state: 'detached' })
    expect((await service.opened.desk.past(id))?.decision).toMatchObject({ kind: 'approve', surface: 'react-held' })
    await page.close()
  })

  it('takes the end read and two presses at high', SLOW, async () => {
    const notes = 'line\n'.repeat(200)
    const id = await service.hold({ ...CALLS.deploy, args: { ...CALLS.deploy.args, notes } })
    const page = await open()
    await dialog(page).getByText('read it to its end first.').waitFor()
    await allow(page).click({ force: true })
    for (const fold of await dialog(page).locator('.cs-fold').all()) await fold.click()
    await expect
      .poll(async () => {
        await page.locator('.cs-end').evaluate((end) => end.scrollIntoView())
        return allow(page).getAttribute('aria-disabled')
      })
      .not.toBe('true')
    await allow(page).click()
    await dialog(page).getByText('press the same button once more').waitFor()
    expect((await service.opened.desk.view(id))?.id).toBe(id)
    await isReady(page)
    await allow(page).click()
    await expect.poll(() => receipt(page).textContent()).toMatch(/(approved|completed) by Ana/)
    await page.close()
  })

  it('sends a call under manual supervision to the inbox, and can deny it', SLOW, async () => {
    await service.hold(CALLS.query)
    const page = await open()
    await dialog(page).getByText('This call is under manual supervision: decide it in the inbox.').waitFor()
    expect(await allow(page).getAttribute('aria-disabled')).toBe('true')
    await dialog(page).getByRole('button', { name: 'Deny' }).click()
    await expect.poll(() => receipt(page).textContent()).toMatch(/rejected by Ana/)
    await page.close()
  })

  it('covers secrets until somebody reveals them', SLOW, async () => {
    await service.hold(CALLS.post)
    const page = await open()
    await dialog(page).getByText('A secret is covered.').waitFor()
    const { token } = CALLS.post.args.body
    expect(await dialog(page).textContent()).not.toContain(token)
    await dialog(page).getByRole('button', { name: 'Reveal' }).click()
    await expect.poll(() => dialog(page).textContent()).toContain(token)
    await page.close()
  })

  it('is put away by Escape with nothing decided, and says who was faster elsewhere', SLOW, async () => {
    const id = await service.hold(CALLS.write)
    const page = await open()
    await dialog(page).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect((await service.opened.desk.view(id))?.id).toBe(id)
    await page.getByRole('button', { name: 'Review what was put away' }).click()
    await dialog(page).waitFor()
    await service.decide(id, { kind: 'reject' })
    await expect.poll(() => receipt(page).textContent()).toMatch(/rejected by/)
    await dialog(page).waitFor({ state: 'detached' })
    await page.close()
  })

  it('is short enough to read', () => {
    expect(readFileSync(join(import.meta.dirname, 'main.tsx'), 'utf8').split('\n').length).toBeLessThan(90)
  })
})
