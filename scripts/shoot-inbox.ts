/**
 * Takes the inbox pictures for the README: a real gate holds real calls, and the built page shows them.
 * Run `npx node --conditions=countersign-source scripts/shoot-inbox.ts [--all] [folder]` after changing and building the
 * page. `--all` takes every page, dialog and kind of call at both sizes and in both themes, for review.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '@countersign/testing/browser/chromium'
import { SIZES, type Size } from '@countersign/testing/inbox/browser'
import { enrolPage } from '@countersign/testing/inbox/enrolment'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { startInboxService } from '@countersign/testing/inbox/service'
import type { Page } from 'playwright-core'

const all = process.argv.includes('--all')
const folder =
  process.argv.slice(2).find((word) => !word.startsWith('--')) ?? join(import.meta.dirname, '../docs/pictures')
const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-shoot-')))
mkdirSync(folder, { recursive: true })
const service = await startInboxService(root)
const browser = await launchBrowser('whole')

/** Shown instead of a temporary folder. */
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

/** An hour of past calls: approved, rejected with a reason, granted, and expired. */
async function pastWork(): Promise<void> {
  const issue = (title: string) => ({ ...CALLS.server, args: { ...CALLS.server.args, title } })
  for (const title of ['Round prices up', 'Show net prices to companies', 'Cart forgets its items'])
    await service.decide(await service.hold(issue(title)), { kind: 'approve' })
  const reason = 'the old logs are evidence, keep them'
  await service.decide(await service.hold(CALLS.remove), { kind: 'reject', reason })
  await service.decide(await service.hold(CALLS.move), { kind: 'approve' })
  await service.hold({ ...CALLS.move, timeoutMs: 1_000 })
  const granted = await service.hold(issue('VAT for Norway'))
  const offer = (await service.opened.desk.view(granted))?.offers.find(({ scope }) => scope.kind === 'exact')
  const lifetime = offer?.lifetimes.find(({ kind }) => kind === 'minutes')
  const grant = offer === undefined || lifetime === undefined ? {} : { grant: { scope: offer.scope, lifetime } }
  await service.decide(granted, { kind: 'approve', ...grant })
  await service.hold({ tool: 'note', args: { text: 'VAT is done' }, agent: { name: 'coder-1' } })
}

async function holdAll(): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {}
  for (const [name, call] of Object.entries(CALLS)) ids[name] = await service.hold(call)
  for (const title of ['Prices in CHF', 'Invoice without VAT', 'Discount for schools'])
    await service.hold({ ...CALLS.server, args: { ...CALLS.server.args, title } })
  return ids
}

async function openPage(size: Size, scheme: 'light' | 'dark', scale: number): Promise<Page> {
  const context = await browser.newContext({ ...SIZES[size], colorScheme: scheme, deviceScaleFactor: scale })
  const page = await context.newPage()
  page.on('console', (message) => console.log(message.type(), message.text()))
  page.on('pageerror', (error) => console.log('pageerror', error.message))
  await enrolPage(page, service, `Ana, ${size}`)
  return page
}

/** Every page and dialog, for review. */
async function shootAll(ids: Readonly<Record<string, string>>, size: Size, scheme: 'light' | 'dark'): Promise<void> {
  const page = await openPage(size, scheme, 1)
  const at = async (path: string, name: string): Promise<void> => {
    await page.goto(`${service.url}${path}`)
    await shoot(page, `${name}-${size}-${scheme}`)
  }
  await at('/', 'list')
  for (const name of Object.keys(CALLS)) await at(`/held/${ids[name]}`, `held-${name}`)
  for (const path of ['history', 'grants', 'journal', 'tools', 'explain', 'charts']) await at(`/${path}`, path)
  await page.keyboard.press('Control+k')
  await shoot(page, `palette-${size}-${scheme}`)
  await page.keyboard.press('Escape')
  await page.goto(`${service.url}/held/${ids['server']}`)
  for (const button of [/^Edit/, /^Reject/]) {
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    await page.getByRole('button', { name: button }).click()
    await shoot(page, `${String(button).replace(/\W/g, '')}-${size}-${scheme}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
  }
  await page.locator('.cs-bar[data-armed=true]').waitFor()
  await page.getByRole('button', { name: /^Edit/ }).click()
  await page.getByLabel(/^priority/).fill('9')
  await page.getByRole('button', { name: 'Use these arguments' }).click()
  await shoot(page, `edited-${size}-${scheme}`)
  const link = page.getByText(/review together/)
  await page.goto(service.url)
  await link.first().click()
  await shoot(page, `batch-${size}-${scheme}`)
  await page.goto(service.url)
  await page.locator('.link-live').waitFor()
  await page.keyboard.press('Shift+?')
  await shoot(page, `help-${size}-${scheme}`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('sign out')
  await page.keyboard.press('Enter')
  await shoot(page, `sign-out-${size}-${scheme}`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
  await page.getByText('You are signed out').waitFor()
  await shoot(page, `signed-out-${size}-${scheme}`)
  await page.context().close()
}

try {
  await pastWork()
  const ids = await holdAll()
  if (all) {
    for (const size of ['desktop', 'phone'] as const)
      for (const scheme of ['light', 'dark'] as const) await shootAll(ids, size, scheme)
  } else {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await openPage('desktop', scheme, 1.25)
      await page.goto(`${service.url}/held/${ids['write']}`)
      await shoot(page, `inbox-${scheme}`)
    }
    const page = await openPage('phone', 'light', 1.5)
    await page.goto(`${service.url}/held/${ids['command']}`)
    await shoot(page, 'inbox-phone')
  }
} finally {
  await browser.close()
  await service.close()
  rmSync(root, { recursive: true, force: true })
}
