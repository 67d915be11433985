import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { enrolPage } from './inbox-page.ts'
import { type InboxService, startInboxService } from './inbox-service.ts'

/** The sizes at which every flow must work. */
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const

/** One of `SIZES`. */
export type Size = keyof typeof SIZES

/** A service, a browser, and for each size a person whose key is enrolled. */
export interface InboxBrowser {
  readonly service: InboxService
  readonly browser: Browser
  /** A new page of the person at this size; what it complains about is in `complaints`. */
  page(size: Size, path?: string): Promise<Page>
  /** Errors of every page since the last look. */
  complaints(): readonly string[]
  close(): Promise<void>
}

/** Opens all of it once for a file of tests. */
export async function openInboxBrowser(
  policy?: string,
  more?: Readonly<Record<string, string>>,
): Promise<InboxBrowser> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-inbox-')))
  const service = await startInboxService(root, policy, more)
  const browser = await launchBrowser()
  const contexts = new Map<Size, Promise<BrowserContext>>()
  const heard: string[] = []

  function listen(page: Page): void {
    page.setDefaultTimeout(30_000) // only a hang reaches it: a busy machine must not fail what is right
    page.on('pageerror', (error) => heard.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') heard.push(message.text())
    })
  }

  async function open(size: Size): Promise<BrowserContext> {
    const context = await browser.newContext(SIZES[size])
    const page = await context.newPage()
    listen(page)
    await enrolPage(page, service, size === 'phone' ? 'Bea' : 'Ana')
    await page.close()
    return context
  }

  return {
    service,
    browser,
    async page(size, path = '/') {
      const context = contexts.get(size) ?? open(size)
      contexts.set(size, context)
      const page = await (await context).newPage()
      listen(page)
      await page.goto(`${service.url}${path}`)
      return page
    },
    complaints: () => heard.splice(0),
    async close() {
      await browser.close()
      await service.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
