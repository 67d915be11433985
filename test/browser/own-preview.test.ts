import type { Call } from '@countersign/core'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { armed } from '@countersign/testing/browser/card'
import { lookAt } from '@countersign/testing/browser/scroll-card'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A call with a preview of each kind. */
const PUBLISH = {
  tool: 'publish',
  source: 'custom',
  requiresConfirmation: true,
  description: { kind: 'other' },
  args: { page: 'index.html' },
  preview: () => [
    { fields: { Readers: 1200 } },
    { table: [{ channel: 'web', when: '<b>now</b>' }] },
    { diff: '--- a/index.html\n+++ b/index.html\n@@ -1 +1 @@\n-Draft\n+Final\n' },
    { image: PNG, alt: 'the new page' },
    { json: { deep: { list: [1, true] } } },
  ],
} as const satisfies Call

const said = 'I looked at all tables. I will delete 500 user accounts. Should I proceed?'
const PROCEED = {
  tool: 'proceed',
  source: 'builtin',
  requiresConfirmation: true,
  confirmationMessage: 'Proceed lets the agent continue.',
  description: { kind: 'other' },
  said,
  args: { action_type: 'batch_delete', scope: { records: 500 }, risk_level: 'high', said },
} as const satisfies Call

async function expectInside(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

async function expectPreview(within: Locator): Promise<void> {
  const preview = within.getByRole('region', { name: 'Preview', exact: true })
  await preview.getByText('<b>now</b>').waitFor()
  expect(await preview.locator('.cs-added .cs-text').textContent()).toContain('Final')
  const image = preview.getByRole('img', { name: 'the new page' })
  await lookAt(image)
  await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1)
  expect(await preview.locator('.cs-json-key').allTextContents()).toEqual(['"deep"', '"list"'])
  await within.getByRole('region', { name: 'Other arguments' }).getByText('index.html').waitFor()
}

inboxTests(
  'a tool’s own preview and a question in the inbox',
  { policy: 'version: 1\npreset: balanced\n' },
  (inbox) => {
    atEachSize((size) => {
      it('draws every kind, with every argument beside it', async () => {
        const page = await inbox.page(size, `/held/${await inbox.service.hold(PUBLISH)}`)
        await armed(page)
        await expectPreview(page.locator('.cs-card'))
        await expectNoViolationsInBothThemes(page, 'own preview')
        await expectInside(page)
        await page.close()
      })

      it('asks in the agent’s words: Proceed or Cancel, no Edit, no JSON', async () => {
        const page = await inbox.page(size, `/held/${await inbox.service.hold(PROCEED)}`)
        await armed(page)
        const title = await page.locator('h2.cs-effect').textContent()
        expect(title).toBe('The agent asks: I will delete 500 user accounts. Should I proceed?')
        const buttons = await page.locator('.cs-bar button').allInnerTexts()
        expect(buttons.map((text) => text.split(/\s/)[0])).toEqual(['Cancel', 'Proceed…'])
        expect(await page.locator('.cs-preview').textContent()).not.toMatch(/[{}]/)
        await expectNoViolationsInBothThemes(page, 'a question')
        await expectInside(page)
        await page.close()
      })
    })
  },
)

inboxTests('a tool’s own preview and a question in the dialog', { example: 'react-held' }, (inbox) => {
  it('are drawn as on a card', async () => {
    const page = await inbox.page('desktop')
    await inbox.service.hold(PUBLISH)
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await expectPreview(dialog)
    await expectNoViolationsInBothThemes(page, 'own preview')
    await inbox.service.clear()
    await dialog.waitFor({ state: 'detached' })
    await inbox.service.hold(PROCEED)
    await dialog.getByText('The agent asks').waitFor()
    await dialog.getByRole('button', { name: 'Proceed', exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(1)
    expect(await dialog.locator('.cs-preview').textContent()).not.toMatch(/[{}]/)
    await expectNoViolationsInBothThemes(page, 'a question')
    await page.close()
  })
})
