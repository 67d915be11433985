import { changeRules, openApprover } from '@countersign/node'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

inboxTests('the pause in the inbox', {}, (inbox) => {
  const rules = () => inbox.service.opened.desk.rules()
  const note = { tool: 'note', args: { text: 'VAT is done' }, agent: { name: 'coder-1' } }

  atEachSize((size) => {
    it('holds every call at one press, shows it on every page, and ends it after two', async () => {
      const page = await inbox.page(size, '/')
      await page.getByRole('button', { name: 'Pause all' }).click()
      const banner = page.getByRole('region', { name: 'Paused' })
      await expect.poll(() => banner.textContent()).toMatch(/Paused by .+ Every call of every agent is held/)
      expect(await rules().paused()).toMatch(/^paused by /)
      expect(await page.getByRole('button', { name: 'Pause all' }).count()).toBe(0)

      await inbox.service.hold(note) // runs unasked otherwise
      await expect.poll(() => page.locator('.list-count').textContent()).toContain('1 held')
      await page.goto(`${inbox.service.url}/history`)
      await banner.waitFor()
      await banner.getByRole('button', { name: 'Resume…' }).click()
      await expect.poll(() => banner.textContent()).toContain('calls run again as your policy and your grants allow')
      await expectNoViolationsInBothThemes(page, page.url())
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await rules().paused()).not.toBeNull()
      await expect.poll(() => banner.locator('.resume').getAttribute('data-armed')).toBe('true')
      await banner.getByRole('button', { name: 'Sign and resume' }).click()
      await expect.poll(() => banner.count()).toBe(0)
      expect(await rules().paused()).toBeNull()
      expect((await rules().changes()).slice(-2)).toMatchObject([
        { act: 'pause', surface: 'web' },
        { act: 'resume', surface: 'web' },
      ])
      await page.close()
    })
  })

  it('appears on an open page when somebody pauses elsewhere', async () => {
    const page = await inbox.page('desktop', '/tools')
    await page.getByRole('heading', { name: 'Tools', exact: true }).waitFor()
    const { home, opened } = inbox.service
    const proposal = await rules().propose({ kind: 'pause', reason: 'looking into the deploy', by: 'Ana' })
    await changeRules(opened.desk, { proposal }, { approver: openApprover(home, { name: 'Ana' }), surface: 'cli' })
    const banner = page.getByRole('region', { name: 'Paused' })
    await expect.poll(() => banner.textContent()).toContain('looking into the deploy')
    await page.close()
  })
})
