import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { armed, receipt } from '@countersign/testing/browser/card'
import type { InboxBrowser } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

async function prepare({ service }: InboxBrowser): Promise<void> {
  await service.hold({ ...CALLS.server, args: { project: 'shop', title: 'Prices in CHF' } })
}

inboxTests('rules in the inbox', { prepare }, (inbox) => {
  const rules = () => inbox.service.opened.desk.rules()

  async function check(page: Page): Promise<void> {
    await expectNoViolationsInBothThemes(page, page.url())
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }

  atEachSize((size) => {
    describe('the Tools page', () => {
      it('sets a tool after showing what that changes, and undoes it by one press', async () => {
        const page = await inbox.page(size, '/tools')
        await page.locator('.tool-head', { hasText: 'tracker/create_issue' }).click()
        const setting = page.locator('.tool-details').filter({ hasText: 'Current policy' }).locator('.tool-setting')
        await setting.getByLabel('Supervision').selectOption({ label: 'Always ask, with a code and a reason' })
        const change = page.getByRole('region', { name: 'Change of the policy' })
        await expect.poll(() => change.textContent()).toMatch(/tool: "tracker\/create_issue".*supervision: manual/s)
        expect(await change.textContent()).toMatch(/would change \d+ of the last \d+ calls?/)
        await check(page)
        await expect.poll(() => setting.getAttribute('data-armed')).toBe('true')
        await setting.getByRole('button', { name: 'Sign and apply' }).click()
        const changes = page.getByRole('region', { name: 'Changes of the policy' })
        // The newest first: the same change may be in the list already, undone at another size.
        const newest = changes.locator('li').first()
        await expect.poll(() => newest.textContent()).toMatch(/tracker\/create_issue: manual \S+, .*Undo/)
        await expect
          .poll(() => rules().list())
          .toContainEqual(expect.objectContaining({ tool: 'tracker/create_issue', supervision: 'manual' }))
        await changes.getByRole('button', { name: 'Undo' }).first().click()
        // What loosens manual supervision takes its act.
        await changes.getByLabel(/Type/).fill((await changes.locator('.cs-the-code').textContent()) ?? '')
        await changes.getByLabel('Reason').fill('was too strict')
        await changes.getByRole('button', { name: 'Undo' }).first().click()
        await expect.poll(() => rules().list()).not.toContainEqual(expect.objectContaining({ supervision: 'manual' }))
        await expect.poll(() => setting.getByLabel('Supervision').inputValue()).toBe('default')
        await page.close()
      })
    })

    describe('“always” on a card', () => {
      it('shows the rule with its effect, approves, and adds it', async () => {
        const { service } = inbox
        const id = await service.hold({ ...CALLS.server, args: { project: size, title: 'Prices in CHF' } })
        const page = await inbox.page(size, `/held/${id}`)
        await armed(page)
        await page.getByRole('button', { name: /^Grant/ }).click()
        await page.getByRole('radio', { name: /and any title/ }).check()
        await expect.poll(() => page.locator('.cs-matched').textContent()).toMatch(/Would have covered/)
        await page.getByRole('radio', { name: 'always, as a rule' }).check()
        const change = page.getByRole('region', { name: 'Change of the policy' })
        await expect.poll(() => change.textContent()).toMatch(/args: .*supervision: automatic/s)
        await check(page)
        await page.getByRole('button', { name: 'Continue' }).click()
        await armed(page)
        await page.getByRole('button', { name: /^Approve and add the rule/ }).click()
        await expect(receipt(page).textContent()).resolves.toMatch(/(approved|completed) by/)
        await expect
          .poll(() => rules().list())
          .toContainEqual(expect.objectContaining({ args: { project: size }, supervision: 'automatic' }))
        const last = (await rules().changes()).at(-1)
        expect(last).toMatchObject({ call: id, surface: 'web' })
        await page.close()
      })
    })
  })
})
