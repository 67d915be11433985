import { expectNoViolations } from '@countersign/testing/browser/axe'
import { approve, armed, receipt, stage } from '@countersign/testing/browser/card'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import { SIZES } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
const isOpen = (page: Page) => new URL(page.url()).pathname.startsWith('/held/')

inboxTests('the focus in the inbox', {}, (inbox) => {
  atEachSize((size) => {
    it('starts on the safe button at high risk, else on the heading', async () => {
      const grave = await inbox.service.hold(CALLS.deploy)
      const other = await inbox.service.hold(CALLS.write)
      const page = await inbox.page(size)
      await page.locator(`a[href="/held/${grave}"]`).click()
      await armed(page)
      expect(await focused(page)).toMatch(/^Reject/)
      await page.keyboard.press('Escape')
      await page.locator(`a[href="/held/${other}"]`).click()
      await armed(page)
      expect(await focused(page)).toMatch(/^Writes 14 lines/)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill('deploy')
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toMatch(/^Reject/)
      expect(new URL(page.url()).pathname).toBe(`/held/${grave}`)
      await page.close()
    })

    it('goes back one step per Escape before leaving the call', async () => {
      const id = await inbox.service.hold(CALLS.server)
      const page = await inbox.page(size, `/held/${id}`)
      await armed(page)
      for (const [name, at] of [
        [/^Reject/, 'reject'],
        [/^Edit/, 'edit'],
        [/^Grant/, 'grant'],
      ] as const) {
        await page.getByRole('button', { name }).click()
        await expect.poll(() => stage(page)).toBe(at)
        if (at === 'edit') await page.getByRole('form', { name: 'Edit arguments' }).waitFor()
        await page.keyboard.press('Escape')
        await expect.poll(() => stage(page)).toBe('choose')
        expect(await focused(page)).toMatch(/^Reject/)
        await armed(page)
      }
      await page.getByRole('button', { name: /^Grant/ }).click()
      await page.getByRole('radio').first().check()
      await page.keyboard.press('Escape')
      await expect.poll(() => stage(page)).toBe('choose')
      expect(isOpen(page)).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => isOpen(page)).toBe(false)
      await page.close()
    })

    it('goes back from the second press by Escape, wherever the focus is', async () => {
      const id = await inbox.service.hold(CALLS.deploy)
      const page = await inbox.page(size, `/held/${id}`)
      await readToEnd(page)
      await armed(page)
      await approve(page).click()
      await expect.poll(() => stage(page)).toBe('again')
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await page.keyboard.press('Escape')
      await expect.poll(() => stage(page)).toBe('choose')
      expect([isOpen(page), (await inbox.service.opened.desk.view(id))?.id]).toEqual([true, id])
      await page.close()
    })

    it('shows the code of a manual approval beside its field, wherever the page is scrolled', async () => {
      const id = await inbox.service.hold(CALLS.query)
      const page = await inbox.page(size, `/held/${id}`)
      await readToEnd(page)
      await armed(page)
      await approve(page).click()
      const form = page.getByRole('form', { name: 'Manual approval' })
      await page.locator('.inbox-pane').evaluate((pane) => pane.scrollTo(0, 0))
      const code = page.locator('.cs-the-code')
      // Nothing covers the code: it is the topmost element at its centre.
      const isSeen = () =>
        code.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return document.elementFromPoint(x + width / 2, y + height / 2) === element
        })
      await expect.poll(isSeen).toBe(true)
      await expectNoViolations(page, 'a manual approval')
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('cs-code-input')
      await page.keyboard.type((await code.textContent()) ?? '')
      await form.getByLabel('Reason').fill('agreed with sales')
      await form.getByRole('button', { name: 'Approve' }).click()
      await expect.poll(() => receipt(page).textContent()).toMatch(/(approved|completed) by/)
      await page.close()
    })

    it('shows the call and the connection state to a browser that cannot decide yet', async () => {
      const id = await inbox.service.hold(CALLS.write)
      const context = await inbox.browser.newContext(SIZES[size])
      const page = await context.newPage()
      inbox.listen(page)
      await page.goto(inbox.service.link())
      await page.getByText('This browser can view calls but not decide.').waitFor()
      await page.locator(`a[href="/held/${id}"]`).click()
      await page.locator('.cs-effect').waitFor()
      await page.locator(size === 'phone' ? '.pane-link-live' : '.link-live').waitFor()
      await expectNoViolations(page, 'looking only')
      const box = await page.locator('.cs-effect').boundingBox()
      expect(box?.y).toBeLessThan(size === 'phone' ? 240 : 400)
      await context.close()
    })
  })
})
