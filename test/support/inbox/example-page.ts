import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build as buildPage } from 'vite'
import type { InboxService } from './service.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

const PAGES = fileURLToPath(new URL('../../browser', import.meta.url))

/** The examples with a page. */
export type ExamplePage = 'react-dialog' | 'react-held' | 'react-page'

const built = new Map<ExamplePage, Promise<string>>()

/** Builds an example once per test worker and returns the folder. */
export function buildExample(name: ExamplePage): Promise<string> {
  const known = built.get(name) ?? build(name)
  built.set(name, known)
  return known

  async function build(example: ExamplePage): Promise<string> {
    const outDir = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-example-')))
    process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
    const root = join(EXAMPLES, example)
    await buildPage({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'silent', build: { outDir } })
    return outDir
  }
}

/** Builds a page of `test/browser` into a folder. */
export async function buildTestPage(name: string, outDir: string): Promise<void> {
  const resolve = { conditions: ['countersign-source', 'module', 'browser', 'default'] }
  const config = { emptyOutDir: true, modulePreload: { polyfill: false }, outDir }
  await buildPage({ root: join(PAGES, name), configFile: false, logLevel: 'silent', resolve, build: config })
}

/** Signs a page in and enrols its key with the form of `react-held`. */
export async function enrolExample(page: Page, service: InboxService, name: string): Promise<void> {
  const ticket = new URL(service.link()).hash.slice('#ticket='.length)
  await page.request.post(`${service.url}/api/v1/sign-in`, { headers: { origin: service.url }, data: { ticket } })
  await page.goto(service.url)
  await page.getByText(/\d+ held/).waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Code').fill(service.code())
  await page.getByRole('button', { name: 'Enroll this page' }).click()
  await page.getByText('Enrolled.').waitFor()
}
