import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../browser/chromium.ts'
import { enrolPage } from './enrolment.ts'
import { buildExample, type ExamplePage, enrolExample } from './example-page.ts'
import { type InboxService, startInboxService } from './service.ts'

/** What Chromium writes to its console when the service answers with this status: once for each answer. */
export function answered(status: number): RegExp {
  return new RegExp(`^Failed to load resource: the server responded with a status of ${status} `)
}

/** The sizes at which every flow must work. */
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const

/** One of `SIZES`. */
export type Size = keyof typeof SIZES

/** Their names, for a test at each. */
export const EACH_SIZE = Object.keys(SIZES) as readonly Size[]

/** A service, a browser, and for each size a person whose key is enrolled. */
export interface InboxBrowser {
  readonly service: InboxService
  readonly browser: Browser
  /** Also hears what a page complains about that a test has opened by itself. */
  listen(page: Page): void
  /** A new page of the person at this size; what it complains about is in `complaints`. */
  page(size: Size, path?: string): Promise<Page>
  /** Errors of every page since the last look, but for those that are `meant`: lines a test itself has caused. */
  complaints(meant?: RegExp): readonly string[]
  close(): Promise<void>
}

/** What a file of tests may want otherwise. */
export interface InboxOptions {
  /** The policy; without it that of the scenario. */
  readonly policy?: string
  /** More files of policy, by name. */
  readonly more?: Readonly<Record<string, string>>
  /** Shows this page in the place of the inbox, with every guard that the inbox has. */
  readonly example?: ExamplePage
  /** With notices for the desktop, for which the whole browser is needed. */
  readonly notices?: true
}

/** Opens all of it once for a file of tests. */
export async function openInboxBrowser({ policy, more, example, notices }: InboxOptions = {}): Promise<InboxBrowser> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-inbox-')))
  const dist = example === undefined ? undefined : join(root, 'dist')
  if (example !== undefined) await buildExample(example, join(root, 'dist'))
  const enrol = example === undefined ? enrolPage : enrolExample
  const service = await startInboxService(root, policy, more, dist)
  const browser = await launchBrowser(notices === true ? 'whole' : 'quickest')
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
    await enrol(page, service, size === 'phone' ? 'Bea' : 'Ana')
    await page.close()
    return context
  }

  return {
    service,
    browser,
    listen,
    async page(size, path = '/') {
      const context = contexts.get(size) ?? open(size)
      contexts.set(size, context)
      const page = await (await context).newPage()
      listen(page)
      await page.goto(`${service.url}${path}`)
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
