import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

inboxTests('search and filters of the inbox', {}, (inbox) => {
  atEachSize((size) => {
    it('filter the list by words and by risk, state what they hide, and show all again', async () => {
      for (const call of [CALLS.server, CALLS.write, CALLS.remove]) await inbox.service.hold(call)
      const page = await inbox.page(size)
      const rows = page.locator('.row')
      await rows.nth(2).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('tool:tracker')
      await page.getByText(/^2 hidden by the filter/).waitFor()
      expect(await rows.count()).toBe(1)
      await page.getByText('Filters', { exact: true }).click()
      await page.getByLabel('Risk').selectOption({ label: 'critical' })
      await page.getByText(/^3 hidden by the filter/).waitFor()
      expect(await rows.count()).toBe(0)
      await expectNoViolationsInBothThemes(page, `the filters on a ${size}`)
      await page.getByRole('button', { name: 'Show all' }).click()
      await rows.nth(2).waitFor()
      await page.close()
    })
  })

  it('keep the choice while a call is opened, and state how many rows are out of sight', async () => {
    for (let at = 0; at < 12; at++)
      await inbox.service.hold({ ...CALLS.server, args: { ...CALLS.server.args, title: `number ${at}` } })
    const page = await inbox.page('phone')
    await page.getByText(/^\d+ more below$/).waitFor()
    await page.getByLabel('Search held calls').fill('create_issue')
    await page.locator('.row').first().click()
    await page.locator('.cs-card').waitFor()
    await page.getByRole('link', { name: 'All held calls' }).click()
    expect(await page.getByLabel('Search held calls').inputValue()).toBe('create_issue')
    await page.close()
  })
})
