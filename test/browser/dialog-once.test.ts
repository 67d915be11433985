import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ariaDisabled, movePointer } from '@countersign/testing/browser/card'
import { findChromium, launchBrowser } from '@countersign/testing/browser/chromium'
import { buildTestPage } from '@countersign/testing/inbox/example-page'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {} from './slow-answer/main.ts'

const ORIGIN = 'http://example.test'
const DEADLINE_MS = 600_000
const NO_IN_TIME = { id: 'approval-1', approved: false, reason: 'nobody answered in time' }

describe.skipIf(findChromium() === undefined)('a slow answer of the approval dialog', () => {
  let browser: Browser
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-answer-')))
  beforeAll(async () => {
    await buildTestPage('slow-answer', folder)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const dialog = (page: Page) => page.getByRole('alertdialog')
  const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
  const given = (page: Page) => page.evaluate(() => window.answers.given)
  /** Resolves or rejects the nth answer. */
  const end = (page: Page, nth: number, failure?: string) =>
    page.evaluate(
      ({ nth, failure }) => {
        const found = window.answers.ends[nth]
        if (failure === undefined) found?.arrive()
        else found?.fail(new Error(failure))
      },
      { nth, failure },
    )

  async function open(): Promise<Page> {
    const page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    await page.clock.install()
    await page.route(`${ORIGIN}/**`, (route) =>
      route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.slice(1) || 'index.html') }),
    )
    await page.goto(ORIGIN)
    await dialog(page).waitFor()
    await movePointer(page)
    return page
  }

  async function press(page: Page, name: string): Promise<void> {
    await expect.poll(() => ariaDisabled(button(page, name))).toBe('false')
    await button(page, name).click()
    await expect.poll(async () => (await given(page)).length).toBeGreaterThan(0)
  }

  it.each(['Allow', 'Deny'])('is the only one: the deadline adds none after %s', async (name) => {
    const page = await open()
    await press(page, name)
    await button(page, 'Sending…').waitFor()
    await page.clock.fastForward(2 * DEADLINE_MS)
    expect(await given(page)).toEqual([{ id: 'approval-1', approved: name === 'Allow' }])
    expect(await dialog(page).textContent()).not.toContain('denied')
    await end(page, 0)
    await page.clock.fastForward(DEADLINE_MS)
    expect(await given(page)).toHaveLength(1)
    await page.close()
  })

  it('is the only one after closing and reopening the dialog', async () => {
    const page = await open()
    await press(page, 'Allow')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.clock.fastForward(2 * DEADLINE_MS)
    await page.getByRole('button', { name: 'Review' }).click()
    await button(page, 'Sending…').waitFor()
    await button(page, 'Deny').click({ force: true })
    expect(await given(page)).toEqual([{ id: 'approval-1', approved: true }])
    await page.close()
  })

  it('that failed is followed by a no at the deadline', async () => {
    const page = await open()
    await press(page, 'Allow')
    await page.clock.fastForward(2 * DEADLINE_MS)
    await end(page, 0, 'the line is down')
    await expect.poll(() => given(page)).toEqual([{ id: 'approval-1', approved: true }, NO_IN_TIME])
    await dialog(page).getByText('the line is down').waitFor()
    await dialog(page)
      .getByText(/denied at /)
      .waitFor()
    await page.close()
  })

  it('by the deadline is a single no, which can be repeated if it fails', async () => {
    const page = await open()
    await page.clock.fastForward(DEADLINE_MS)
    await expect.poll(() => given(page)).toEqual([NO_IN_TIME])
    await button(page, 'Deny').click({ force: true })
    expect(await given(page)).toHaveLength(1)
    await end(page, 0, 'the line is down')
    await dialog(page).getByText('the line is down').waitFor()
    await page.clock.fastForward(DEADLINE_MS)
    expect(await given(page)).toHaveLength(1)
    expect(await ariaDisabled(button(page, 'Allow'))).toBe('true')
    await expect.poll(() => ariaDisabled(button(page, 'Deny'))).toBe('false')
    await button(page, 'Deny').click()
    await expect.poll(() => given(page)).toEqual([NO_IN_TIME, { id: 'approval-1', approved: false }])
    await page.close()
  })
})
