import { expectNoViolations } from '@countersign/testing/browser/axe'
import { armed, stage } from '@countersign/testing/browser/card'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const opened = (page: Page) => new URL(page.url()).pathname
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
const resting = (page: Page) => page.locator('.keys-rest')

inboxTests('typing in the inbox', {}, (inbox) => {
  const isHeld = async (id: string) => (await inbox.service.opened.desk.view(id))?.id === id

  atEachSize((size) => {
    it('decides nothing after its call was closed elsewhere, and offers the text for copying', async () => {
      const id = await inbox.service.hold(CALLS.deploy)
      const other = await inbox.service.hold(CALLS.server)
      const page = await inbox.page(size, `/held/${id}`)
      await armed(page)
      await page.keyboard.press('r')
      await page.keyboard.type('please wait ')
      await inbox.service.decide(id, { kind: 'reject', reason: 'faster' })
      await page.locator('.pane-receipt').waitFor()
      await expect.poll(() => focused(page)).toBe('Receipt')
      await resting(page).waitFor()
      expect(await page.getByRole('region', { name: 'Not sent' }).textContent()).toContain('please wait')
      await expectNoViolations(page, 'unsent text')
      // The rest of the sentence would open and approve the next call if shortcuts were not paused.
      await page.keyboard.type('just ')
      expect([opened(page), await page.locator('.cs-bar').count()]).toEqual([`/held/${id}`, 0])
      await page.keyboard.type('a')
      expect(await isHeld(other)).toBe(true)
      // Escape or a click resumes shortcuts and does nothing else.
      await page.keyboard.press('Escape')
      await resting(page).waitFor({ state: 'detached' })
      expect(opened(page)).toBe(`/held/${id}`)
      await page.keyboard.press('j')
      await armed(page)
      expect(opened(page)).toBe(`/held/${other}`)
      await page.close()
    })
  })

  it('triggers no shortcut when the call changes while typing', async () => {
    const id = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/typed.ts', content: 'x\n' } })
    const page = await inbox.page('desktop', `/held/${id}`)
    await armed(page)
    await page.keyboard.press('r')
    await page.keyboard.type('not into ')
    const edited = { path: '/etc/hosts', content: 'x\n' }
    await inbox.service.decide(id, { kind: 'approve', edited })
    await page.locator('.cs-card').getByText('/etc/hosts').first().waitFor()
    await resting(page).waitFor()
    expect(await page.getByRole('region', { name: 'Not sent' }).textContent()).toContain('not into')
    await armed(page)
    await page.keyboard.press('e')
    expect(await stage(page)).toBe('choose')
    await page.mouse.click(2, 400)
    await resting(page).waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await expect.poll(() => stage(page)).toBe('edit')
    await page.close()
  })

  it('keeps shortcuts active after the person submitted or went back', async () => {
    const id = await inbox.service.hold(CALLS.server)
    const next = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/next.ts', content: 'x\n' } })
    const page = await inbox.page('desktop', `/held/${id}`)
    await armed(page)
    await page.keyboard.press('r')
    await page.keyboard.type('no')
    await page.keyboard.press('Escape')
    await expect.poll(() => stage(page)).toBe('choose')
    await armed(page)
    await page.keyboard.press('r')
    await page.keyboard.type('thing')
    await page.keyboard.press('Enter')
    await page.locator('.pane-receipt').waitFor()
    await expect.poll(() => focused(page)).toBe('Receipt')
    expect(await page.getByRole('region', { name: 'Not sent' }).count()).toBe(0)
    const past = await inbox.service.opened.desk.past(id)
    expect(past?.decision?.reason).toBe('nothing')
    await page.keyboard.press('j')
    await armed(page)
    expect([opened(page), await resting(page).count()]).toEqual([`/held/${next}`, 0])
    await page.close()
  })

  it('keeps drafts while the call is held', async () => {
    const id = await inbox.service.hold(CALLS.server)
    const other = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/other.ts', content: 'x\n' } })
    const page = await inbox.page('desktop', `/held/${id}`)
    await armed(page)
    await page.keyboard.press('e')
    await page.getByLabel(/^title/).fill('a long careful text')
    await page.locator(`a[href="/held/${other}"]`).click()
    await page.locator('.cs-card').getByText('src/other.ts').first().waitFor()
    await page.locator(`a[href="/held/${id}"]`).click()
    await page.getByText('Your unfinished edit is not included.').waitFor()
    await armed(page)
    await page.keyboard.press('e')
    await expect.poll(() => page.getByLabel(/^title/).inputValue()).toBe('a long careful text')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Your unfinished edit is not included.').waitFor({ state: 'detached' })
    await page.close()
  })

  it('keeps the focus on an element after every step', async () => {
    const id = await inbox.service.hold(CALLS.server)
    const page = await inbox.page('desktop', `/held/${id}`)
    const at = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    await armed(page)
    await page.keyboard.press('e')
    await page.getByLabel(/^title/).fill('Another')
    await page.keyboard.press('Enter')
    await expect.poll(() => stage(page)).toBe('again')
    expect(await at()).toBe('Back')
    await page.keyboard.press('Enter')
    await expect.poll(() => stage(page)).toBe('choose')
    await page.getByRole('button', { name: /^Grant/ }).click()
    await page.getByRole('radio').first().check()
    await page.getByRole('radio').last().check()
    await page.keyboard.press('Enter')
    await expect.poll(() => stage(page)).toBe('again')
    expect(await at()).toBe('Back')
    await page.keyboard.press('Enter')
    await armed(page)
    await page.keyboard.press('a')
    await expect.poll(() => focused(page)).toBe('Receipt')
    await page.close()
  })

  it('triggers no shortcut when single keys are turned off', async () => {
    const id = await inbox.service.hold(CALLS.server)
    const page = await inbox.page('desktop', `/held/${id}`)
    await armed(page)
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).uncheck()
    await expectNoViolations(page, 'unsent text')
    await page.keyboard.press('Escape')
    for (const key of ['a', 'r', 'e', '?']) await page.keyboard.press(key)
    expect([await stage(page), await isHeld(id), await page.locator('.cs-key:visible').count()]).toEqual([
      'choose',
      true,
      0,
    ])
    await page.reload()
    await armed(page)
    await page.keyboard.press('r')
    expect(await stage(page)).toBe('choose')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Go to' })
    await search.fill('single')
    await page.keyboard.press('Enter')
    await search.waitFor({ state: 'detached' })
    await armed(page)
    await page.keyboard.press('r')
    await expect.poll(() => stage(page)).toBe('reject')
    await page.close()
  })

  it('does not submit by one long press of Enter', async () => {
    const id = await inbox.service.hold(CALLS.deploy)
    const page = await inbox.page('desktop', `/held/${id}`)
    await armed(page)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Reject/)
    for (let press = 0; press < 25; press += 1) {
      await page.keyboard.down('Enter')
      if (press === 1) await page.getByRole('form', { name: 'Reject' }).waitFor()
      if (press === 12) await page.getByRole('button', { name: 'Reject', exact: true, disabled: false }).waitFor()
    }
    await page.keyboard.up('Enter')
    expect([await stage(page), await isHeld(id)]).toEqual(['reject', true])
    // A separate press counts.
    await page.keyboard.press('Enter')
    await page.locator('.pane-receipt').waitFor()
    await page.close()
  })
})
