import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Scrolls a card until its end stands above the buttons and it may be approved; what loads late makes it longer. */
export async function readToEnd(page: Page): Promise<void> {
  const end = page.locator('.cs-end').first()
  await end.waitFor({ state: 'attached' })
  await expect
    .poll(
      async () => {
        await end.evaluate((element) => element.scrollIntoView({ block: 'start' }))
        return page.getByRole('button', { name: /^Approve/ }).getAttribute('aria-disabled')
      },
      { timeout: 8_000 },
    )
    .not.toBe('true')
}
