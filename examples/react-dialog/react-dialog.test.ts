import { join } from 'node:path'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { ariaDisabled, movePointer } from '@countersign/testing/browser/card'
import { findChromium, launchBrowser } from '@countersign/testing/browser/chromium'
import { EACH_SIZE, SIZES, type Size } from '@countersign/testing/inbox/browser'
import { buildExample } from '@countersign/testing/inbox/example-page'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ORIGIN = 'http://example.test'

describe.skipIf(findChromium() === undefined)('the approval dialog in your own app', () => {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    folder = await buildExample('react-dialog')
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function open(search = '', size: Size = 'desktop'): Promise<Page> {
    const page = await browser.newPage(SIZES[size])
    page.setDefaultTimeout(30_000)
    await page.clock.install()
    await page.route(`${ORIGIN}/**`, (route) =>
      route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.slice(1) || 'index.html') }),
    )
    await page.goto(`${ORIGIN}/${search}`)
    await page.getByRole('alertdialog').waitFor()
    await movePointer(page)
    return page
  }

  it('shows tool and arguments, marks invisible characters and labels claims', async () => {
    const page = await open()
    const dialog = page.getByRole('alertdialog', { name: 'Send this invoice?' })
    expect(await dialog.textContent()).toContain('send_invoice')
    expect(await dialog.textContent()).toContain('1250')
    expect(await dialog.locator('.cs-mark').allTextContents()).toContain('⟦U+202E⟧')
    expect(await dialog.textContent()).toContain('From the tool’s publisher (unverified)')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Don’t send')
    await page.close()
  })

  it('fits a phone in a page without a CSS reset', async () => {
    const page = await open('', 'phone')
    await page.setViewportSize({ width: 390, height: 700 })
    const box = await page.getByRole('alertdialog').boundingBox()
    expect(box !== null && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 700).toBe(true)
    await page.close()
  })

  it('closes by Escape without an answer', async () => {
    const page = await open()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await page.title()).toBe('An agent that asks')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alertdialog').waitFor()
    await page.close()
  })

  it.each([
    ['Send', 'allowed'],
    ['Don’t send', 'denied'],
    ['Allow all from this tool', 'allowed all'],
  ])('answers with %s: %s', async (name, title) => {
    const page = await open()
    const button = page.getByRole('button', { name, exact: true })
    await expect.poll(() => ariaDisabled(button)).not.toBe('true')
    await button.click()
    if (title === 'allowed all') {
      await page.getByText('every call of send_invoice, with any arguments').waitFor()
      expect(await page.title()).toBe('An agent that asks')
      await button.click()
    }
    await expect.poll(() => page.title()).toBe(title)
    await page.close()
  })

  it('answers no at the deadline', async () => {
    const page = await open('?seconds=600')
    await page.clock.fastForward(540_000)
    expect(await page.title()).toBe('An agent that asks')
    await page.clock.fastForward(60_000)
    await expect.poll(() => page.title()).toBe('denied: nobody answered in time')
    await page.close()
  })

  it('answers no at the deadline even if it was closed', async () => {
    const page = await open('?seconds=600')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await page.title()).toBe('An agent that asks')
    await page.clock.fastForward(600_000)
    await expect.poll(() => page.title()).toBe('denied: nobody answered in time')
    await page.close()
  })

  it('shows a receipt after the answer, and answers only once', async () => {
    const page = await open('?seconds=600')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await expect.poll(() => ariaDisabled(send)).not.toBe('true')
    await send.click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alertdialog').getByText('✔ allowed').waitFor()
    expect(await send.count()).toBe(0)
    await page.clock.fastForward(600_000)
    expect(await page.title()).toBe('allowed')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.close()
  })

  it.each(EACH_SIZE)('passes axe (%s)', async (size) => {
    const page = await open('', size)
    await expectNoViolationsInBothThemes(page, 'asked')
    await page.getByText('Details', { exact: true }).click()
    await expectNoViolationsInBothThemes(page, 'details')
    await page.getByRole('button', { name: 'Don’t send' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('✖ denied').waitFor()
    await expectNoViolationsInBothThemes(page, 'answered')
    await page.close()
  })
})
