import { expectNoViolations } from '@countersign/testing/browser/axe'
import { ariaDisabled, receipt } from '@countersign/testing/browser/card'
import { answered } from '@countersign/testing/inbox/browser'
import { CALLS, SECRET } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Allow this tool to run?' })
const allow = (page: Page) => dialog(page).getByRole('button', { name: 'Allow', exact: true })

inboxTests('an app with the approval dialog', { example: 'react-held' }, (inbox) => {
  const isReady = (page: Page) => expect.poll(() => ariaDisabled(allow(page))).not.toBe('true')

  it('allows an incoming call and shows the receipt', async () => {
    const page = await inbox.page('desktop')
    await page.getByText('0 held').waitFor()
    const id = await inbox.service.hold(CALLS.write)
    await dialog(page).getByText('write_file').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Deny')
    await expectNoViolations(page, 'a held call')
    await isReady(page)
    await allow(page).click()
    await expect.poll(() => receipt(page).first().textContent()).toMatch(/(approved|completed) by Ana/)
    await dialog(page).waitFor({ state: 'detached' })
    expect((await inbox.service.opened.desk.past(id))?.decision).toMatchObject({
      kind: 'approve',
      surface: 'react-held',
    })
    await page.close()
  })

  it('refers a manual call to the inbox, and can deny it', async () => {
    await inbox.service.hold(CALLS.query)
    const page = await inbox.page('desktop')
    await dialog(page).getByText('This call needs manual approval. Decide it in the inbox.').waitFor()
    expect(await ariaDisabled(allow(page))).toBe('true')
    await dialog(page).getByRole('button', { name: 'Deny' }).click()
    await expect.poll(() => receipt(page).first().textContent()).toMatch(/rejected by Ana/)
    await page.close()
  })

  it('hides secrets until revealed', async () => {
    await inbox.service.hold(CALLS.post)
    const page = await inbox.page('desktop')
    await dialog(page).getByText('1 secret hidden.').waitFor()
    expect(await dialog(page).textContent()).not.toContain(SECRET)
    await dialog(page).getByRole('button', { name: 'Reveal' }).click()
    await expect.poll(() => dialog(page).textContent()).toContain(SECRET)
    await page.close()
  })

  it('closes by Escape without a decision, and shows a decision from elsewhere', async () => {
    const id = await inbox.service.hold(CALLS.write)
    const page = await inbox.page('desktop')
    await dialog(page).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
    await page.getByRole('button', { name: 'Review closed questions' }).click()
    await dialog(page).waitFor()
    await inbox.service.decide(id, { kind: 'reject' })
    await expect.poll(() => receipt(page).first().textContent()).toMatch(/rejected by/)
    await dialog(page).waitFor({ state: 'detached' })
    await page.close()
  })

  it('asks to sign in, and shows no call until then', async () => {
    await inbox.service.hold(CALLS.write)
    const context = await inbox.browser.newContext()
    const page = await context.newPage()
    inbox.listen(page)
    await page.goto(inbox.service.url)
    await page.getByText('Sign in: countersign inbox').waitFor()
    expect(await dialog(page).count()).toBe(0)
    expect(inbox.complaints(answered(401))).toEqual([])
    await context.close()
  })
})
