import { expectNoViolations } from '@countersign/testing/browser/axe'
import { movePointer } from '@countersign/testing/browser/card'
import { answered, SIZES, type Size } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const dialog = (page: Page) => page.getByRole('alertdialog')
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const isReady = (page: Page, name: string) =>
  expect.poll(() => button(page, name).getAttribute('aria-disabled')).toBe('false')
const label = (issue: number) => ({
  ...CALLS.server,
  tool: { name: 'add_label', server: 'tracker', description: 'Adds a label.' },
  args: { issue, label: 'q4' },
})

inboxTests('a press in the approval dialog', { example: 'react-held' }, (inbox) => {
  const open = (size: Size = 'desktop'): Promise<Page> => inbox.page(size)
  const heldCount = async () => (await inbox.service.opened.desk.list()).length

  it('denies only one call when held down', async () => {
    const page = await open()
    await page.getByText('0 held').waitFor()
    for (const issue of [701, 702, 703, 704]) await inbox.service.hold(label(issue))
    await isReady(page, 'Deny')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Deny')
    await page.keyboard.down('Enter')
    await page.getByText('3 held').waitFor()
    await isReady(page, 'Deny')
    for (let repeat = 0; repeat < 12; repeat += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect([await heldCount(), await page.getByText('3 held').count()]).toEqual([3, 1])
    await page.close()
  })

  it('counts only once its question is armed', async () => {
    const page = await open()
    for (const issue of [801, 802, 803]) await inbox.service.hold(label(issue))
    await isReady(page, 'Deny')
    // Pressed in the task that renders the next question, so that it cannot be armed yet.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('[role=alertdialog]')?.textContent?.includes('802') !== true) return
        observer.disconnect()
        const deny = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Deny')
        for (let press = 0; press < 3; press += 1) deny?.click()
        document.body.dataset['pressed'] = String(deny !== undefined)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await button(page, 'Deny').click()
    await page.locator('body[data-pressed=true]').waitFor()
    await isReady(page, 'Deny')
    expect(await heldCount()).toBe(2)
    await page.close()
  })

  it('is sent once and shows why it failed', async () => {
    const page = await open()
    await inbox.service.hold(label(900))
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let count = 0
    await page.route('**/decision', async (route) => {
      count += 1
      arrived.resolve()
      await go.promise
      await route.fulfill({ status: 503, json: { error: { code: 'CS_TEST', message: 'come back later' } } })
    })
    await isReady(page, 'Deny')
    await button(page, 'Deny').click()
    await arrived.promise
    await button(page, 'Sending…').waitFor()
    await button(page, 'Deny').click({ force: true })
    go.resolve()
    await dialog(page).getByText('come back later').waitFor()
    expect([count, await heldCount()]).toEqual([1, 1])
    expect(inbox.complaints(answered(503))).toEqual([])
    await isReady(page, 'Deny')
    await page.close()
  })

  it.each(Object.keys(SIZES) as Size[])('on Allow all needs a second one below its scope (%s)', async (size) => {
    const page = await open(size)
    const id = await inbox.service.hold(label(950))
    await isReady(page, 'Allow all from this tool')
    const [all, allow, deny] = await Promise.all(
      ['Allow all from this tool', 'Allow', 'Deny'].map((name) => button(page, name).boundingBox()),
    )
    // Allow is where the inbox has Approve.
    if (size === 'phone') expect([allow?.y, (all?.y ?? 0) > (deny?.y ?? 0) + 40]).toEqual([deny?.y, true])
    await button(page, 'Allow all from this tool').click()
    await dialog(page)
      .getByText(/This allows the call and, from now on without asking/)
      .waitFor()
    expect(await dialog(page).locator('.cs-again').textContent()).toMatch(/add_label.*session/)
    await dialog(page)
      .getByText(/Would have covered \d+ of your last/)
      .waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Back')
    await expectNoViolations(page, 'the second press')
    expect(await inbox.service.opened.desk.grants().list()).toEqual([])
    await isReady(page, 'Allow all from this tool')
    await button(page, 'Allow all from this tool').click()
    await expect.poll(async () => (await inbox.service.opened.desk.past(id))?.decision?.kind).toBe('approve')
    const listed = () => inbox.service.opened.desk.grants().list()
    await expect.poll(listed).toHaveLength(1)
    const grants = await listed()
    for (const grant of grants) await inbox.service.opened.desk.grants().revoke(grant.id, 'Ana')
    await page.close()
  })

  it('counts in a browser whose clock is ahead', async () => {
    const page = await open()
    await page.addInitScript(() => {
      const { now } = Date
      Date.now = () => now() + 5 * 3_600_000
    })
    await page.reload()
    await movePointer(page)
    await page.getByText('0 held').waitFor()
    for (const issue of [961, 962]) {
      await inbox.service.hold(label(issue))
      await isReady(page, 'Allow')
      expect(await dialog(page).locator('.cs-countdown').textContent()).toMatch(/left, denied at/)
      await button(page, 'Allow').click()
      await dialog(page).waitFor({ state: 'detached' })
    }
    const issues = async () =>
      (await page.locator('.cs-receipt-effect').allTextContents()).map((text) => /issue: (\d+)/.exec(text)?.[1])
    await expect.poll(issues).toEqual(['962', '961'])
    await page.close()
  })
})
