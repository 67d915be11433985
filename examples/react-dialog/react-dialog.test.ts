import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchBrowser } from '../../test/support/browser.ts'

const SLOW = { timeout: 30_000 }
const ORIGIN = 'http://example.test'

describe.skipIf(findChromium() === undefined)('the approval dialog in an app of its own', () => {
  let browser: Browser
  let files: ReadonlyMap<string, string>
  beforeAll(async () => {
    const root = import.meta.dirname
    const built = await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'silent',
      build: { write: false },
    })
    const [first] = Array.isArray(built) ? built : [built]
    const output = first !== undefined && 'output' in first ? first.output : []
    files = new Map(output.map((file) => [file.fileName, String('code' in file ? file.code : file.source)]))
    browser = await launchBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  async function open(search = ''): Promise<Page> {
    const page = await browser.newPage()
    page.setDefaultTimeout(8_000)
    await page.route(`${ORIGIN}/**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1) || 'index.html'
      const contentType = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html'
      return route.fulfill({ contentType, body: files.get(name) ?? '' })
    })
    await page.goto(`${ORIGIN}/${search}`)
    await page.getByRole('alertdialog').waitFor()
    return page
  }

  it('shows tool and arguments, marks what hides, and names claims as claims', SLOW, async () => {
    const page = await open()
    const dialog = page.getByRole('alertdialog', { name: 'Send this invoice?' })
    expect(await dialog.textContent()).toContain('send_invoice')
    expect(await dialog.textContent()).toContain('1250')
    expect(await dialog.locator('.cs-mark').allTextContents()).toContain('⟦U+202E⟧')
    expect(await dialog.textContent()).toContain('Claimed by the tool’s maker (not checked)')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Don’t send')
    await page.close()
  })

  it('fits a phone, in a page without a reset of its own', SLOW, async () => {
    const page = await open()
    await page.setViewportSize({ width: 390, height: 700 })
    const box = await page.getByRole('alertdialog').boundingBox()
    expect(box !== null && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 700).toBe(true)
    await page.close()
  })

  it('closes by Escape without deciding', SLOW, async () => {
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
  ])('answers with %s: %s', SLOW, async (name, title) => {
    const page = await open()
    const button = page.getByRole('button', { name, exact: true })
    await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true')
    await button.click()
    if (title === 'allowed all') {
      await page.getByText('every call of send_invoice, whatever its arguments').waitFor()
      expect(await page.title()).toBe('An agent that asks')
      await button.click()
    }
    await expect.poll(() => page.title()).toBe(title)
    await page.close()
  })

  it('answers no when nobody does in time', SLOW, async () => {
    const page = await open('?seconds=4')
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('denied: nobody answered in time')
    await page.close()
  })

  it('answers no at the deadline also when it was closed before', SLOW, async () => {
    const page = await open('?seconds=6')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await page.title()).toBe('An agent that asks')
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('denied: nobody answered in time')
    await page.close()
  })

  it('shows what was answered as a receipt, and answers nothing after it', SLOW, async () => {
    const page = await open('?seconds=6')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await expect.poll(() => send.getAttribute('aria-disabled')).not.toBe('true')
    await send.click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alertdialog').getByText('✔ allowed').waitFor()
    expect(await send.count()).toBe(0)
    await page.waitForFunction((at) => Date.now() > at, Date.now() + 6_500)
    expect(await page.title()).toBe('allowed')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.close()
  })

  it('is short enough to read', () => {
    expect(readFileSync(join(import.meta.dirname, 'main.tsx'), 'utf8').split('\n').length).toBeLessThan(80)
  })
})
