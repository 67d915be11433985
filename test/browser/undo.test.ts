import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { armed, receipt, undo } from '@countersign/testing/browser/card'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import type { InboxBrowser } from '@countersign/testing/inbox/browser'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { until } from '@countersign/testing/until'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

/** An agent writes a file, with nobody asked; the id of its call. */
async function write({ service }: InboxBrowser, path: string, content: string): Promise<string> {
  const { opened, workspace } = service
  const call = { tool: 'write_file', source: 'builtin', agent: { name: 'coder-1' }, args: { path, content } } as const
  const done = await opened.gate.run(call, () => writeFileSync(join(workspace, path), content))
  expect(done.kind).toBe('completed')
  return done.callId
}

async function expectInside(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

inboxTests('undo in the history', { policy: 'version: 1\npreset: balanced\n' }, (inbox) => {
  atEachSize((size) => {
    it('shows what comes back, asks, and restores it', async () => {
      const at = (name: string) => join(inbox.service.workspace, name)
      writeFileSync(at('cart.ts'), 'export const cart = []\n')
      const call = await write(inbox, 'cart.ts', 'evil()\n')
      const page = await inbox.page(size, `/history?call=${call}`)
      await page.getByRole('button', { name: 'Undo…', exact: true }).click()
      const plan = page.getByRole('region', { name: 'What comes back' })
      await plan.locator('.cs-added').waitFor()
      await expect(plan.locator('.cs-added .cs-text').textContent()).resolves.toContain('export const cart')
      await expectNoViolationsInBothThemes(page, page.url())
      await expectInside(page)
      await plan.getByRole('button', { name: 'Undo 1 change…' }).click()
      await page.waitForURL(/\/held\//)
      await armed(page)
      await expect(page.locator('h2.cs-effect').textContent()).resolves.toContain('Undo: restores cart.ts')
      expect(
        await page
          .locator('.cs-bar')
          .getByRole('button', { name: /^(Edit|Grant)/ })
          .count(),
      ).toBe(0)
      await expectNoViolationsInBothThemes(page, page.url())
      await expectInside(page)
      expect(readFileSync(at('cart.ts'), 'utf8')).toBe('evil()\n')
      await readToEnd(page)
      await undo(page).click()
      await receipt(page).waitFor()
      await until('the old content', () => readFileSync(at('cart.ts'), 'utf8').startsWith('export') || undefined)
      await page.close()
    })

    it('undoes everything since a call, without the files that are left out', async () => {
      const at = (name: string) => join(inbox.service.workspace, name)
      const call = await write(inbox, `one-${size}.ts`, 'one\n')
      await write(inbox, `two-${size}.ts`, 'two\n')
      const page = await inbox.page(size, `/history?call=${call}`)
      await page.getByRole('button', { name: /everything since/ }).click()
      const plan = page.getByRole('region', { name: 'What comes back' })
      await plan.getByText('2 changes of 2 calls').waitFor()
      await plan.getByRole('checkbox', { name: `remove one-${size}.ts` }).uncheck()
      await plan.getByRole('button', { name: 'Undo 1 change…' }).click()
      await page.waitForURL(/\/held\//)
      await armed(page)
      await readToEnd(page)
      await undo(page).click()
      await receipt(page).waitFor()
      await until('the second file is gone', () => !existsSync(at(`two-${size}.ts`)) || undefined)
      expect(existsSync(at(`one-${size}.ts`))).toBe(true)
      await page.close()
    })
  })
})
