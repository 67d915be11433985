import type { Call } from '@countersign/core'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { ariaDisabled } from '@countersign/testing/browser/card'
import { lookAt, readEverything } from '@countersign/testing/browser/scroll-card'
import type { Size } from '@countersign/testing/inbox/browser'
import { CALLS, SECRET } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true })

inboxTests('the approval dialog for held calls', { example: 'react-held' }, (inbox) => {
  async function open(size: Size, call: Call): Promise<{ readonly page: Page; readonly id: string }> {
    const page = await inbox.page(size)
    const id = await inbox.service.hold(call)
    await page.getByRole('alertdialog').waitFor()
    return { page, id }
  }

  atEachSize((size) => {
    it('shows findings and reasons, and submits a decision', async () => {
      const args = { path: `src/${size}.ts`, content: `export const token = "${SECRET}"\n` }
      const { page, id } = await open(size, { ...CALLS.write, args })
      const dialog = page.getByRole('alertdialog')
      const checks = dialog.getByRole('region', { name: 'Checks' })
      await lookAt(checks)
      expect(await checks.locator('.cs-finding-fail').textContent()).toMatch(/secrets.*Approving overrides this/s)
      await checks.getByText('backup, size').click()
      await checks.getByText('size', { exact: true }).waitFor()
      const why = dialog.getByRole('region', { name: 'Why this needs approval' }) // exactly one, or this locator throws
      await expect.poll(() => why.textContent()).toContain('look-at-writes')
      await dialog.getByText('From the agent (unverified)').waitFor()
      expect(await dialog.textContent()).not.toContain(SECRET)
      await expectNoViolationsInBothThemes(page, 'a held call')
      await lookAt(page.locator('.cs-preview-end'))
      await dialog.getByText('Reveal the hidden secrets first.').waitFor()
      expect(await ariaDisabled(allow(page))).toBe('true')
      await dialog.getByRole('button', { name: 'Reveal' }).click()
      await dialog.locator('.cs-preview').getByText(SECRET).waitFor()
      await lookAt(page.locator('.cs-preview-end'))
      await expect.poll(() => ariaDisabled(allow(page))).toBe('false')
      await allow(page).click()
      await expect.poll(async () => (await inbox.service.opened.desk.past(id))?.decision?.kind).toBe('approve')
      await page.close()
    })

    it('takes a second press at high risk, after the end was read', async () => {
      const { page, id } = await open(size, CALLS.deploy)
      await lookAt(page.locator('.cs-end'))
      await expect.poll(() => ariaDisabled(allow(page))).toBe('false')
      await allow(page).click()
      await page.getByText('This is a high-risk call. Press the button again to allow it.').waitFor()
      expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
      await expectNoViolationsInBothThemes(page, 'the second press')
      await expect.poll(() => ariaDisabled(allow(page))).toBe('false')
      await allow(page).click()
      await expect.poll(async () => (await inbox.service.opened.desk.past(id))?.decision?.kind).toBe('approve')
      await page.close()
    })
  })

  it('shows the same preview as the card', async () => {
    const { page } = await open('desktop', CALLS.write)
    const dialog = page.getByRole('alertdialog')
    await dialog.locator('.cs-diff .cs-line').first().waitFor()
    expect(await dialog.locator('.cs-preview').textContent()).toContain(CALLS.write.args.path)
    await inbox.service.clear()
    await dialog.waitFor({ state: 'detached' })
    await inbox.service.hold({ ...CALLS.command, args: { command: 'echo "a" && git push' } })
    await dialog.getByRole('region', { name: 'Full command' }).getByText('echo "a" && git push').waitFor()
    await page.close()
  })

  it.each(['write', 'deploy'] as const)('cannot allow a call of 1 MB unread (%s)', async (name) => {
    const text = `${'nothing to see in this line\n'.repeat(40_000)}rm -rf ~/everything`
    expect(text.length).toBeGreaterThan(1_000_000)
    const args = name === 'write' ? { path: 'src/x.ts', content: text } : { environment: 'production', script: text }
    const { page, id } = await open('desktop', { ...CALLS[name], args })
    await page.locator('.cs-note-quiet').waitFor()
    await allow(page).click({ force: true })
    await lookAt(page.locator('.cs-end'))
    expect(await ariaDisabled(allow(page))).toBe('true')
    await page.getByText('Expand the hidden rows and read to the end first.').waitFor()
    const folds = page.getByRole('alertdialog').locator('.cs-fold').filter({ visible: true })
    for (let left = await folds.count(); left > 0; left -= 1) {
      await folds.first().click()
      await expect.poll(() => folds.count()).toBe(left - 1)
    }
    expect(await ariaDisabled(allow(page))).toBe('true')
    await readEverything(page)
    await expect.poll(() => ariaDisabled(allow(page))).toBe('false')
    expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
    await page.close()
  })

  it('refers a manual call to the inbox', async () => {
    const { page, id } = await open('phone', CALLS.query)
    await page.getByText('needs manual approval. Decide it in the inbox').waitFor()
    await expectNoViolationsInBothThemes(page, 'manual')
    expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
    await page.close()
  })
})
