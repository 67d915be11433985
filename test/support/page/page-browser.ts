import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../browser/chromium.ts'
import { buildTestPage } from '../inbox/example-page.ts'

/** A secure origin: keys and Web Locks need one. */
const ORIGIN = 'https://page.test'

/** A browser for the page of `test/browser/page-gate`. */
export interface PageBrowser {
  readonly browser: Browser
  /** A new profile: tabs of one share their store. */
  context(): Promise<BrowserContext>
  /** Opens a tab and waits for its scripts. */
  tab(context: BrowserContext): Promise<Page>
  close(): Promise<void>
}

/** Builds the page once per test file and launches the browser. */
export async function openPageBrowser(): Promise<PageBrowser> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-page-')))
  await buildTestPage('page-gate', folder)
  const browser = await launchBrowser()
  return {
    browser,
    async context() {
      const context = await browser.newContext()
      context.setDefaultTimeout(30_000)
      await context.route(`${ORIGIN}/**`, (route) =>
        route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.slice(1) || 'index.html') }),
      )
      return context
    },
    async tab(context) {
      const page = await context.newPage()
      await page.goto(ORIGIN)
      await page.waitForFunction('window.parts !== undefined')
      return page
    },
    async close() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
