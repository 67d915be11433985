import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { buildExample, serveExample } from '../support/example-page.ts'
import { violationsInBothThemes } from '../support/inbox-axe.ts'
import { type InboxBrowser, LONG_RUN_SIZES, openInboxBrowser, SIZES, type Size } from '../support/inbox-browser.ts'
import { enrolPage } from '../support/inbox-page.ts'
import { CALLS } from '../support/inbox-scenario.ts'
import { lookAt } from '../support/read-to-end.ts'

const SLOW = { timeout: 90_000 }
/** A megabyte is drawn: on a busy machine that takes long, and only a hang may fail it. */
const LARGE = { timeout: 300_000 }
const EXAMPLE = 'http://example.test'
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true })
const isOff = (page: Page) => allow(page).getAttribute('aria-disabled')
const said = (page: Page) => page.locator('main > [role=status]').textContent()

async function check(page: Page, what: string): Promise<void> {
  expect({ what, found: await violationsInBothThemes(page) }).toEqual({ what, found: [] })
}

describe.skipIf(findChromium() === undefined)('the approval dialog for calls that a gate holds', () => {
  let inbox: InboxBrowser
  let files: ReadonlyMap<string, string>
  beforeAll(async () => {
    ;[inbox, files] = await Promise.all([openInboxBrowser(), buildExample()])
  }, 90_000)
  afterAll(() => inbox?.close())
  afterEach(() => inbox.service.clear())

  /** The example at the address of the service, as a proxy would put it there; its key is enrolled. */
  async function open(size: Size): Promise<Page> {
    const context = await inbox.browser.newContext({ ...SIZES[size], serviceWorkers: 'block' })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await enrolPage(page, inbox.service, size)
    await serveExample(page, inbox.service.url, files)
    await page.goto(`${inbox.service.url}/held.html`)
    await page.getByRole('alertdialog').waitFor()
    return page
  }

  describe.each(Object.keys(SIZES) as Size[])('on a %s', (size) => {
    it('shows what the checks found and why it was asked, and a decision counts', SLOW, async () => {
      const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
      const args = { path: `src/${size}.ts`, content: `export const token = "${secret}"\n` }
      const id = await inbox.service.hold({ ...CALLS.write, args })
      const page = await open(size)
      const dialog = page.getByRole('alertdialog')
      const checks = dialog.getByRole('region', { name: 'Checks' })
      await lookAt(checks)
      expect(await checks.locator('.cs-finding-fail').textContent()).toMatch(/secrets.*Approving overrides this/s)
      await dialog.getByRole('region', { name: 'Why it was asked' }).getByText('look-at-writes').first().waitFor()
      await dialog.getByText('in its own words (not checked)').waitFor()
      expect(await dialog.textContent()).not.toContain(secret)
      await check(page, 'a held call')
      await lookAt(page.locator('.cs-picture-end'))
      await expect.poll(() => isOff(page)).toBe('false')
      await allow(page).click()
      await expect.poll(async () => (await inbox.service.opened.desk.past(id))?.decision?.kind).toBe('approve')
      await page.context().close()
    })

    it('takes a second press at high, and none before the end was seen', SLOW, async () => {
      const id = await inbox.service.hold(CALLS.deploy)
      const page = await open(size)
      await lookAt(page.locator('.cs-end'))
      await expect.poll(() => isOff(page)).toBe('false')
      await allow(page).click()
      await page.getByText('Risk high: press the same button once more.').waitFor()
      expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
      await check(page, 'the second press')
      await expect.poll(() => isOff(page)).toBe('false')
      await allow(page).click()
      await expect.poll(async () => (await inbox.service.opened.desk.past(id))?.decision?.kind).toBe('approve')
      await page.context().close()
    })
  })

  it('draws a held call as its card does: changed lines, and a command as it would run', SLOW, async () => {
    await inbox.service.hold(CALLS.write)
    const page = await open('desktop')
    const dialog = page.getByRole('alertdialog')
    await dialog.locator('.cs-diff .cs-line').first().waitFor()
    expect(await dialog.locator('.cs-preview').textContent()).toContain(CALLS.write.args.path)
    await inbox.service.clear()
    await dialog.waitFor({ state: 'detached' })
    await inbox.service.hold({ ...CALLS.command, args: { command: 'echo "a" && git push' } })
    await dialog.getByRole('region', { name: 'The command in full' }).getByText('echo "a" && git push').waitFor()
    await page.context().close()
  })

  it.each(['write', 'deploy'] as const)('of 1 MB cannot be allowed unseen (%s)', LARGE, async (name) => {
    const text = `${'nothing to see in this line\n'.repeat(40_000)}rm -rf ~/everything`
    expect(text.length).toBeGreaterThan(1_000_000)
    const args = name === 'write' ? { path: 'src/x.ts', content: text } : { environment: 'production', script: text }
    const id = await inbox.service.hold({ ...CALLS[name], args })
    const page = await open('desktop')
    page.setDefaultTimeout(150_000)
    await page.locator('.cs-note-quiet').waitFor()
    await allow(page).click({ force: true })
    await lookAt(page.locator('.cs-end'))
    expect(await isOff(page)).toBe('true')
    await page.getByText('Open what is folded and read it to its end first.').waitFor()
    const folds = page.getByRole('alertdialog').locator('.cs-fold').filter({ visible: true })
    for (let left = await folds.count(); left > 0; left -= 1) await folds.first().click()
    expect(await isOff(page)).toBe('true')
    for (const end of ['.cs-code-end', '.cs-picture-end', '.cs-end'])
      for (const one of await page.locator(end).all()) await lookAt(one)
    await expect.poll(() => isOff(page)).toBe('false')
    expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
    await page.context().close()
  })

  it('sends a manual call to the inbox, and breaks no rule of axe saying so', SLOW, async () => {
    await inbox.service.hold(CALLS.query)
    const page = await open('phone')
    await page.getByText('under manual supervision: decide it in the inbox').waitFor()
    await check(page, 'manual')
    expect(await said(page)).toBe('Nothing was decided yet.')
    await page.context().close()
  })

  it.each(LONG_RUN_SIZES)('breaks no rule of axe with a part of the AI SDK (%s)', SLOW, async (size) => {
    const context = await inbox.browser.newContext(SIZES[size])
    const page = await context.newPage()
    await serveExample(page, EXAMPLE, files)
    await page.goto(EXAMPLE)
    await page.getByRole('alertdialog').waitFor()
    await check(page, 'asked')
    await page.getByText('Details', { exact: true }).click()
    await check(page, 'details')
    await page.getByRole('button', { name: 'Don’t send' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('✖ denied').waitFor()
    await check(page, 'answered')
    await context.close()
  })
})
