import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoViolations } from '@countersign/testing/browser/axe'
import { ariaDisabled, movePointer } from '@countersign/testing/browser/card'
import { findChromium, launchBrowser } from '@countersign/testing/browser/chromium'
import { SIZES, type Size } from '@countersign/testing/inbox/browser'
import { buildExample } from '@countersign/testing/inbox/example-page'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

/** A secure origin: keys and Web Locks need one. */
const ORIGIN = 'https://example.test'

describe.skipIf(findChromium() === undefined)('an agent loop in the browser', () => {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    folder = await buildExample('react-page')
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function newContext(size: Size = 'desktop'): Promise<BrowserContext> {
    const context = await browser.newContext({ ...SIZES[size], acceptDownloads: true })
    onTestFinished(() => context.close())
    await context.route(`${ORIGIN}/**`, (route) =>
      route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.slice(1) || 'index.html') }),
    )
    return context
  }

  async function open(context: BrowserContext, search = ''): Promise<Page> {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${ORIGIN}/${search}`)
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await movePointer(page)
    return page
  }

  const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Allow this tool to run?' })
  const conversation = (page: Page) => page.getByRole('list', { name: 'Conversation' })

  async function press(page: Page, name: string): Promise<void> {
    const button = dialog(page).getByRole('button', { name, exact: true })
    await expect.poll(() => ariaDisabled(button)).not.toBe('true')
    await button.click()
  }

  async function isAsked(page: Page, tool: string, title: string): Promise<void> {
    await dialog(page).getByText(tool, { exact: true }).first().waitFor()
    await dialog(page).getByText(title).first().waitFor()
  }

  it.each(['desktop', 'phone'] as const)(
    'asks before each tool that needs it, and runs what was allowed (%s)',
    async (size) => {
      const page = await open(await newContext(size))
      await page.getByRole('button', { name: 'Send' }).click()
      await isAsked(page, 'archive_note', 'Buy milk')
      await expectNoViolations(page, 'asked')
      await dialog(page).getByText('The note leaves your list.').waitFor()
      await dialog(page)
        .getByText(/0:\d\d left/)
        .waitFor()
      await press(page, 'Allow')
      await isAsked(page, 'archive_note', 'Call Ada')
      await press(page, 'Deny')
      await isAsked(page, 'delete_note', 'Draft')
      await press(page, 'Allow')
      await dialog(page).getByText('This is a high-risk call. Press the button again to allow it.').waitFor()
      await press(page, 'Allow')
      await conversation(page).getByText('I stopped: NOT EXECUTED (rejected)').waitFor()
      expect(
        await conversation(page)
          .getByText(/^done:/)
          .allTextContents(),
      ).toEqual(['done: Buy milk', 'done: Draft'])
      await dialog(page).waitFor({ state: 'detached' })
    },
  )

  it('allows every call of a tool for the session, and asks again after a reload', async () => {
    const page = await open(await newContext())
    await page.getByRole('button', { name: 'Send' }).click()
    await isAsked(page, 'archive_note', 'Buy milk')
    await press(page, 'Allow all from this tool')
    await dialog(page).getByText('archive_note').nth(1).waitFor()
    await press(page, 'Allow all from this tool')
    await isAsked(page, 'delete_note', 'Draft')
    await press(page, 'Deny')
    await conversation(page)
      .getByText(/^I stopped/)
      .waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Send' }).click()
    await isAsked(page, 'archive_note', 'Buy milk')
  })

  it('tells the model that nobody answered in time', async () => {
    const page = await open(await newContext(), '?seconds=3')
    await page.getByRole('button', { name: 'Send' }).click()
    await isAsked(page, 'archive_note', 'Buy milk')
    await conversation(page)
      .getByText(/^NOT EXECUTED \(expired\)/)
      .first()
      .waitFor()
    await conversation(page)
      .getByText(/^I stopped: NOT EXECUTED \(expired\)/)
      .waitFor()
    expect(
      await conversation(page)
        .getByText(/^done:/)
        .count(),
    ).toBe(0)
  })

  it('saves its journal', async () => {
    const page = await open(await newContext())
    await page.getByRole('button', { name: 'Send' }).click()
    await isAsked(page, 'archive_note', 'Buy milk')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review the held call' }).waitFor()
    const files = new Map<string, string>()
    page.on('download', async (one) => files.set(one.suggestedFilename(), readFileSync(await one.path(), 'utf8')))
    await page.getByRole('button', { name: 'Save the journal' }).click()
    await expect.poll(() => files.size).toBe(3)
    const kinds = (files.get('audit.jsonl') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind)
    expect(kinds).toContain('held')
  })
})
