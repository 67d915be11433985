import { expectNoViolations } from '@countersign/testing/browser/axe'
import { armed, stage } from '@countersign/testing/browser/card'
import { answered, SIZES } from '@countersign/testing/inbox/browser'
import { enrolPage } from '@countersign/testing/inbox/enrolment'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to' })
const search = (page: Page) => page.getByRole('combobox', { name: 'Go to' })

inboxTests('palette and sign-out', {}, (inbox) => {
  atEachSize((size) => {
    it('open a held call, a page, a theme and the help by typing', async () => {
      const id = await inbox.service.hold({ ...CALLS.server, args: { title: 'Prices in CHF' } })
      const page = await inbox.page(size, '/grants')
      await page.locator('.link-live').waitFor()
      if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
      else await page.keyboard.press('Control+k')
      await search(page).waitFor()
      await expectNoViolations(page, 'the palette')
      await search(page).fill('chf')
      await expect.poll(() => palette(page).getByRole('option').count()).toBe(1)
      await page.keyboard.press('Enter')
      await armed(page)
      expect(new URL(page.url()).pathname).toBe(`/held/${id}`)
      await palette(page).waitFor({ state: 'detached' })

      await page.keyboard.press('Control+k')
      await search(page).fill('approve')
      await page.getByText('No results').waitFor()
      await page.keyboard.press('Escape')
      await palette(page).waitFor({ state: 'detached' })
      expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)

      await page.keyboard.press('Control+k')
      await search(page).fill('dark')
      await palette(page).getByRole('option', { name: 'Use the dark theme' }).click()
      await page.locator('html[data-theme=dark]').waitFor()
      await palette(page).waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await search(page).fill('system')
      await page.keyboard.press('Enter')
      await page.locator('html:not([data-theme])').waitFor()
      await palette(page).waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await search(page).fill('shortcuts')
      await page.keyboard.press('Enter')
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await keys.waitFor()
      await palette(page).waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await keys.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await search(page).fill('journal')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Journal' }).waitFor()
      await page.close()
    })

    it('sign out in all tabs, tell what stays, and sign in again', async () => {
      const context = await inbox.browser.newContext(SIZES[size])
      const [page, other] = [await context.newPage(), await context.newPage()]
      for (const tab of [page, other]) inbox.listen(tab)
      await page.goto(inbox.service.link())
      await page.locator('.link-live').waitFor()
      await other.goto(`${inbox.service.url}/history`)
      await other.locator('.link-live').waitFor()
      if (size === 'phone') {
        await page.getByRole('button', { name: 'Menu' }).click()
        await palette(page).getByRole('option', { name: 'Sign out' }).click()
      } else await page.getByRole('button', { name: 'sign out' }).click()
      const dialog = page.getByRole('dialog', { name: 'Sign out of this browser?' })
      await dialog.getByText('This browser’s key stays enrolled').waitFor()
      await expectNoViolations(page, 'signing out')
      await dialog.getByRole('button', { name: 'Sign out' }).click()
      for (const tab of [page, other]) {
        await tab.getByText('You are signed out').waitFor()
        await tab.getByText(/countersign approvers remove [0-9a-f]{16}/).waitFor()
      }
      await expectNoViolations(page, 'signed out')
      expect(await context.cookies()).toEqual([])
      expect(await page.evaluate(async () => (await fetch('/api/v1/held')).status)).toBe(401)
      await page.goto(inbox.service.link())
      for (const tab of [page, other]) await tab.locator('.link-live').waitFor()
      await context.close()
      expect(inbox.complaints(answered(401))).toEqual([]) // from this test and from the signed-out tabs
    })
  })

  it('never decide by keys typed for the palette, even while it loads', async () => {
    const id = await inbox.service.hold(CALLS.write)
    // A service worker would have cached the palette.
    const context = await inbox.browser.newContext({ ...SIZES.desktop, serviceWorkers: 'block' })
    const page = await context.newPage()
    inbox.listen(page)
    const typed = Promise.withResolvers<void>()
    await page.route('**/palette-*.js', (route) => typed.promise.then(() => route.continue()))
    await enrolPage(page, inbox.service, 'Cleo')
    await page.getByRole('link', { name: /Writes 14 lines/ }).click()
    await armed(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('era')
    expect(await stage(page)).toBe('choose')
    typed.resolve()
    await search(page).waitFor()
    expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
    await context.close()
  })
})
