import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { movePointer, visit } from '../browser/card.ts'
import { launchBrowser } from '../browser/chromium.ts'
import { enrolPage } from './enrolment.ts'
import { buildExample, type ExamplePage, enrolExample } from './example-page.ts'
import { type InboxService, startInboxService } from './service.ts'

/** The console message of Chromium for a response with this status. */
export function answered(status: number): RegExp {
  return new RegExp(`^Failed to load resource: the server responded with a status of ${status} `)
}

/** Screen sizes at which every flow must work. */
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const

/** One of `SIZES`. */
export type Size = keyof typeof SIZES

/** The names of the sizes, for `each`. */
export const EACH_SIZE = Object.keys(SIZES) as readonly Size[]

/** A service and a browser, with one enrolled person per size. */
export interface InboxBrowser {
  readonly service: InboxService
  readonly browser: Browser
  /** Records the errors of a page that a test opened itself. */
  listen(page: Page): void
  /** Opens a page of the person at this size and records its errors. */
  page(size: Size, path?: string): Promise<Page>
  /** Returns and clears the recorded errors, without those that the test expects. */
  complaints(meant?: RegExp): readonly string[]
  close(): Promise<void>
}

/** Options of a test file. */
export interface InboxOptions {
  /** The policy; by default that of the scenario. */
  readonly policy?: string
  /** Additional policy files by name. */
  readonly more?: Readonly<Record<string, string>>
  /** Serves this example instead of the inbox. */
  readonly example?: ExamplePage
  /** Supports desktop notifications, which need the full browser. */
  readonly notices?: true
}

/** Opens service and browser once per test file. */
export async function openInboxBrowser({ policy, more, example, notices }: InboxOptions = {}): Promise<InboxBrowser> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-inbox-')))
  const dist = example === undefined ? undefined : await buildExample(example)
  const enrol = example === undefined ? enrolPage : enrolExample
  const service = await startInboxService(root, policy, more, dist)
  const browser = await launchBrowser(notices === true ? 'whole' : 'quickest')
  const contexts = new Map<Size, BrowserContext>()
  const heard: string[] = []

  function listen(page: Page): void {
    page.setDefaultTimeout(30_000) // generous, for busy machines
    page.on('pageerror', (error) => heard.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') heard.push(message.text())
    })
  }

  /** Enrols the person at this size; their page is the first one that a test gets. */
  async function open(size: Size): Promise<Page> {
    const context = await browser.newContext(SIZES[size])
    const page = await context.newPage()
    listen(page)
    await enrol(page, service, size === 'phone' ? 'Bea' : 'Ana')
    contexts.set(size, context)
    return page
  }

  return {
    service,
    browser,
    listen,
    async page(size, path = '/') {
      const context = contexts.get(size)
      if (context === undefined) {
        const first = await open(size)
        if (path !== '/') await visit(first, path)
        await movePointer(first)
        return first
      }
      const page = await context.newPage()
      listen(page)
      await page.goto(`${service.url}${path}`)
      await movePointer(page)
      return page
    },
    complaints: (meant) => heard.splice(0).filter((line) => meant?.test(line) !== true),
    async close() {
      await browser.close()
      await service.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
