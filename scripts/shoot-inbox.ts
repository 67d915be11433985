/**
 * Takes the pictures of the inbox for the README: a real gate holds real calls, and the built page shows them.
 * Run `npx node --conditions=source scripts/shoot-inbox.ts [--all] [folder]` after the page has changed and was
 * built. `--all` also takes every other page and kind of call, to look at.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.ts'
import { enrolPage } from '../test/support/inbox-page.ts'
import { CALLS } from '../test/support/inbox-scenario.ts'
import { startInboxService } from '../test/support/inbox-service.ts'

const folder =
  process.argv.slice(2).find((word) => !word.startsWith('--')) ?? join(import.meta.dirname, '../docs/pictures')
const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-shoot-')))
mkdirSync(folder, { recursive: true })
const service = await startInboxService(root)
const browser = await launchBrowser()
const all = process.argv.includes('--all')

/** What the reader sees instead of a temporary folder. */
function nameFolder(root: string): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.nodeValue?.includes(root))
      node.nodeValue = node.nodeValue.replaceAll(`${root}/home`, '/home/you/.countersign').replaceAll(root, '/home/you')
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  await page.evaluate(nameFolder, root)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

try {
  const ids: Record<string, string> = {}
  for (const [name, call] of Object.entries(CALLS)) ids[name] = await service.hold(call)
  for (const path of ['a', 'b', 'c'])
    await service.hold({ ...CALLS.server, args: { ...CALLS.server.args, title: `Follow-up ${path}` } })
  for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: { width: 1120, height: 760 },
      colorScheme: scheme,
      deviceScaleFactor: 1.25,
    })
    const page = await context.newPage()
    page.on('console', (message) => console.log(message.type(), message.text()))
    page.on('pageerror', (error) => console.log('pageerror', error.message))
    await enrolPage(page, service, `Ana ${scheme}`)
    await page.goto(`${service.url}/held/${ids['write']}`)
    await shoot(page, `inbox-${scheme}`)
    if (all) {
      for (const name of Object.keys(CALLS)) {
        await page.goto(`${service.url}/held/${ids[name]}`)
        await shoot(page, `held-${name}-${scheme}`)
      }
      for (const path of ['history', 'grants', 'journal', 'tools', 'explain', 'charts']) {
        await page.goto(`${service.url}/${path}`)
        await shoot(page, `${path}-${scheme}`)
      }
    }
    await context.close()
  }
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1.5,
    hasTouch: true,
    isMobile: true,
  })
  const page = await phone.newPage()
  await enrolPage(page, service, 'Ana phone')
  if (all) {
    await page.goto(service.url)
    await shoot(page, 'inbox-phone-list')
  }
  await page.goto(`${service.url}/held/${ids['command']}`)
  await shoot(page, 'inbox-phone')
  await phone.close()
} finally {
  await browser.close()
  await service.close()
  rmSync(root, { recursive: true, force: true })
}
