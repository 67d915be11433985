import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { approve, armed, receipt, undo } from '@countersign/testing/browser/card'
import type { InboxBrowser } from '@countersign/testing/inbox/browser'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { until } from '@countersign/testing/until'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

const CART = 'export const cart = []\n'

/** An agent writes a file, with nobody asked. */
async function write(inbox: InboxBrowser, path: string, text: string | Buffer, agent = 'coder-1'): Promise<void> {
  const { opened, workspace } = inbox.service
  const args = { path, content: String(text) }
  const done = await opened.gate.run({ tool: 'write_file', source: 'builtin', agent: { name: agent }, args }, () => {
    mkdirSync(join(workspace, path, '..'), { recursive: true })
    writeFileSync(join(workspace, path), text)
  })
  expect(done.kind).toBe('completed')
}

async function unseen({ service }: InboxBrowser): Promise<readonly string[]> {
  return (await service.opened.desk.changes().list(service.workspace)).files.map(({ path }) => path)
}

async function startSeen(inbox: InboxBrowser): Promise<void> {
  writeFileSync(join(inbox.service.workspace, 'src/cart.ts'), CART)
  await inbox.service.opened.desk.changes().allSeen(inbox.service.workspace, 'Ana')
}

function row(page: Page, path: string): Locator {
  return page.locator('.change').filter({ hasText: path })
}

async function expectInside(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

inboxTests('unseen changes in the inbox', { policy: 'version: 1\npreset: balanced\n' }, (inbox) => {
  atEachSize((size) => {
    it('are listed by agent, shown as diffs and marked one by one', async () => {
      await startSeen(inbox)
      await write(inbox, 'src/cart.ts', `${CART}export const total = 0\n`)
      await write(inbox, 'config/shop.yaml', `name: ${size}\n`, 'cleaner')
      const page = await inbox.page(size, '/changes')
      await row(page, 'src/cart.ts').waitFor()
      await expect(page.locator('.change-group h3').allInnerTexts()).resolves.toEqual([
        'cleaner · 1 file',
        'coder-1 · 1 file',
      ])
      const cart = page.getByRole('region', { name: 'Changes by coder-1' }).locator('.change')
      await cart.getByRole('button', { name: 'Show diff' }).click()
      await cart.locator('.cs-added').waitFor()
      await expect(cart.locator('.cs-added .cs-text').textContent()).resolves.toContain('export const total = 0')
      await expectNoViolationsInBothThemes(page, page.url())
      await expectInside(page)
      await cart.getByRole('button', { name: 'Mark as seen' }).click()
      await cart.waitFor({ state: 'detached' })
      expect(await unseen(inbox)).toEqual(['config/shop.yaml'])
      await page.getByRole('button', { name: 'Mark all as seen' }).click()
      await page.getByText('No unseen changes.').waitFor()
      await page.close()
    })

    it('are undone by a call that a person must approve', async () => {
      await startSeen(inbox)
      const path = join(inbox.service.workspace, 'src/cart.ts')
      await write(inbox, 'src/cart.ts', 'evil()\n')
      const page = await inbox.page(size, '/changes')
      await row(page, 'src/cart.ts').getByRole('button', { name: 'Undo…' }).click()
      await page.waitForURL(/\/held\//)
      await armed(page)
      expect(readFileSync(path, 'utf8')).toBe('evil()\n')
      await undo(page).click()
      await receipt(page).waitFor()
      await until('the file as it was', () => readFileSync(path, 'utf8') === CART || undefined)
      await until('no unseen change', async () => (await unseen(inbox)).length === 0 || undefined)
      await page.close()
    })

    it('stay if a person rejects the undo', async () => {
      await startSeen(inbox)
      const path = join(inbox.service.workspace, 'src/cart.ts')
      await write(inbox, 'src/cart.ts', 'other()\n')
      const page = await inbox.page(size, '/changes')
      await row(page, 'src/cart.ts').getByRole('button', { name: 'Undo…' }).click()
      await page.waitForURL(/\/held\//)
      const id = decodeURIComponent(page.url().split('/held/')[1] ?? '')
      await inbox.service.decide(id, { kind: 'reject' })
      await until(
        'its end',
        async () => (await inbox.service.opened.desk.past(id))?.outcome === 'rejected' || undefined,
      )
      expect(readFileSync(path, 'utf8')).toBe('other()\n')
      expect(await unseen(inbox)).toEqual(['src/cart.ts'])
      await page.close()
    })

    it('are on the card of a command that could run them, and approving marks those shown in full', async () => {
      await startSeen(inbox)
      await write(inbox, 'src/cart.ts', `${CART}export const more = 1\n`)
      await write(inbox, `src/logo-${size}.bin`, Buffer.from([0, 1, 2]))
      const call = { tool: 'execute_command', source: 'builtin', args: { command: 'npm test' } } as const
      const id = await inbox.service.hold(call)
      const page = await inbox.page(size, `/held/${id}`)
      await armed(page)
      const section = page.getByRole('region', { name: 'Changes nobody has seen' })
      await expect(section.locator('summary').allInnerTexts()).resolves.toEqual([
        expect.stringMatching(/^src\/cart\.ts \+1 .*by coder-1$/),
        expect.stringMatching(/^src\/logo-.*\.bin .*by coder-1 · stays unseen$/),
      ])
      await expect(section.locator('.cs-added .cs-text').textContent()).resolves.toContain('export const more = 1')
      await expectNoViolationsInBothThemes(page, page.url())
      await expectInside(page)
      await approve(page).click()
      await receipt(page).waitFor()
      await until('the mark', async () => (await unseen(inbox)).length === 1 || undefined)
      expect(await unseen(inbox)).toEqual([`src/logo-${size}.bin`])
      await page.close()
    })
  })
})
