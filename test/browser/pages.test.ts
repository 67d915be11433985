import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { violationsInBothThemes } from '../support/inbox-axe.ts'
import { type InboxBrowser, LONG_RUN_SIZES, openInboxBrowser, SIZES, type Size } from '../support/inbox-browser.ts'
import { CALLS } from '../support/inbox-scenario.ts'
import { readToEnd } from '../support/read-to-end.ts'

const SLOW = { timeout: 240_000 }
describe.skipIf(findChromium() === undefined)('the pages of the inbox', () => {
  let inbox: InboxBrowser
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    inbox = await openInboxBrowser()
    for (const [name, call] of Object.entries(CALLS)) ids[name] = await inbox.service.hold(call)
    await inbox.service.hold({ ...CALLS.server, args: { title: 'another' } })
  }, 60_000)
  afterAll(() => inbox?.close())
  afterEach(() => expect(inbox.complaints()).toEqual([]))

  /** A page is loaded once and looked at in both themes. */
  async function check(page: Page, what: string): Promise<void> {
    expect({ what, found: await violationsInBothThemes(page) }).toEqual({ what, found: [] })
  }

  it.each(LONG_RUN_SIZES)('break no rule of axe in either theme (%s)', SLOW, async (size: Size) => {
    const page = await inbox.page(size)
    const paths = [
      '/',
      ...Object.keys(CALLS).map((name) => `/held/${ids[name]}`),
      '/history',
      '/grants',
      '/journal',
      '/tools',
      '/explain',
      '/charts',
    ]
    for (const path of paths) {
      await page.goto(`${inbox.service.url}${path}`)
      await page.locator('h1:visible, h2:visible').first().waitFor()
      if (path.startsWith('/held')) await page.locator('.cs-bar[data-armed=true]').waitFor()
      if (path === '/explain') {
        await page.getByRole('button', { name: 'Explain' }).click()
        await page.getByText('rules do not apply').first().waitFor()
      }
      if (path === '/tools') await page.locator('.tool-head').first().click()
      await check(page, path)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ path, wide: wide <= 0 }).toEqual({ path, wide: true })
    }
    await page.goto(`${inbox.service.url}/held/${ids['server']}`)
    for (const [button, form] of [
      ['Grant…', 'Approve, and do not ask again'],
      [/^Edit/, 'Edit the arguments'],
      [/^Reject/, 'Reject'],
    ] as const) {
      await page.locator('.cs-bar[data-armed=true]').waitFor()
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('form', { name: form }).waitFor()
      await check(page, form)
      await page.getByRole('button', { name: 'Back' }).click()
    }
    await page.close()
  })

  it.each(LONG_RUN_SIZES)('nor does what lies between them (%s)', SLOW, async (size: Size) => {
    // Made here: those of the beginning may be over by now.
    const agent = { name: `planner on a ${size}` }
    for (const title of ['one', 'two', 'three']) await inbox.service.hold({ ...CALLS.server, agent, args: { title } })
    const page = await inbox.page(size)
    await page
      .getByRole('link', { name: /3 equal medium calls/ })
      .last()
      .click()
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    await check(page, 'a batch')
    await page.getByRole('button', { name: /^Reject/ }).click()
    await page.getByRole('form', { name: 'Reject' }).waitFor()
    await check(page, 'rejecting a batch')

    for (const [call, stage] of [
      ['query', 'manual'],
      ['deploy', 'again'],
    ] as const) {
      await page.goto(`${inbox.service.url}/held/${await inbox.service.hold({ ...CALLS[call], agent })}`)
      await readToEnd(page)
      await page.locator('.cs-bar[data-armed=true]').waitFor()
      await page.getByRole('button', { name: /^Approve/ }).click()
      await page.locator(`.cs-bar[data-stage=${stage}]`).waitFor()
      await check(page, stage)
    }

    const over = await inbox.service.hold({ ...CALLS.move, agent })
    await page.goto(`${inbox.service.url}/held/${over}`)
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    await inbox.service.decide(over, { kind: 'reject', reason: 'keep it' })
    await page.locator('.cs-receipt').waitFor()
    await check(page, 'a receipt')

    for (const [word, name] of [
      ['keys', 'Keys'],
      ['passkey', 'Add a passkey of this device'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(word)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name }).waitFor()
      await check(page, name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name }).waitFor({ state: 'hidden' })
    }
    await page.close()

    const context = await inbox.browser.newContext(SIZES[size])
    const stranger = await context.newPage()
    await stranger.goto(inbox.service.url)
    await stranger.getByText('You are not signed in.').waitFor()
    await check(stranger, 'signing in')
    const looker = await context.newPage()
    await looker.goto(inbox.service.link())
    await looker.getByText('This browser may look, but not decide.').waitFor()
    await check(looker, 'enrolling')
    await context.close()
  })

  it('give a finger at least 48 pixels on a phone', SLOW, async () => {
    const page = await inbox.page('phone', `/held/${ids['server']}`)
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.cs-bar button, .back, summary, .batch-link')]
        .map((element) => ({ text: element.textContent, height: element.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 48),
    )
    expect(small).toEqual([])
    await page.close()
  })

  it('say what policy would do with a call that is pasted, and hold nothing', SLOW, async () => {
    const before = (await inbox.service.opened.desk.list()).length
    const page = await inbox.page('desktop', '/explain')
    await page.getByLabel(/A call/).fill('{"tool":"execute_command","args":{"command":"rm -rf /"}}')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.locator('.trace-verdict').getByText('critical').waitFor()
    expect((await inbox.service.opened.desk.list()).length).toBe(before)
    await page.close()
  })

  it('show who decided what, filter it, and export it', SLOW, async () => {
    const page = await inbox.page('desktop', `/held/${ids['move']}`)
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.press('Enter')
    await page.locator('.cs-receipt').waitFor()
    await page.goto(`${inbox.service.url}/history?outcome=rejected`)
    await page
      .getByText(/rejected by/)
      .first()
      .waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Export JSONL').click()])
    expect(readFileSync(await download.path(), 'utf8')).toContain('"outcome":"rejected"')
    await page.getByText(/All \d+ that fit/).waitFor()
    await page.goto(`${inbox.service.url}/history?outcome=completed&call=${ids['move']}`)
    await page
      .getByText(/rejected by/)
      .first()
      .waitFor()
    await page.goto(`${inbox.service.url}/journal`)
    await page.getByText(/Verified to entry \d/).waitFor()
    await page.close()
  })
})
