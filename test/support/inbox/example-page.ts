import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import type { InboxService } from './service.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

const PAGES = fileURLToPath(new URL('../../browser', import.meta.url))

/** The examples with a page. */
export type ExamplePage = 'react-dialog' | 'react-held'

/** Builds an example into a folder. */
export async function buildExample(name: ExamplePage, outDir: string): Promise<void> {
  const root = join(EXAMPLES, name)
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'silent', build: { outDir } })
}

/** Builds a page of `test/browser` into a folder. */
export async function buildTestPage(name: string, outDir: string): Promise<void> {
  const resolve = { conditions: ['countersign-source', 'module', 'browser', 'default'] }
  const config = { emptyOutDir: true, modulePreload: { polyfill: false }, outDir }
  await build({ root: join(PAGES, name), configFile: false, logLevel: 'silent', resolve, build: config })
}

/** Signs a page in and enrols its key with the form of `react-held`. */
export async function enrolExample(page: Page, service: InboxService, name: string): Promise<void> {
  const ticket = new URL(service.link()).hash.slice('#ticket='.length)
  await page.request.post(`${service.url}/api/v1/sign-in`, { headers: { origin: service.url }, data: { ticket } })
  await page.goto(service.url)
  await page.getByText(/\d+ held/).waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Code').fill(service.code())
  await page.getByRole('button', { name: 'Enrol this page' }).click()
  await page.getByText('Enrolled.').waitFor()
}
