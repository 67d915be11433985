import type { Locator, Page } from 'playwright-core'

/** Waits until the card on a page has stood still long enough for a press to count. */
export function armed(page: Page): Promise<void> {
  return page.locator('.cs-bar[data-armed=true]').waitFor()
}

/** The button that approves. */
export function approve(page: Page): Locator {
  return page.getByRole('button', { name: /^Approve/ })
}

/** `true` while a press on a button would do nothing: it can still have the focus, and say why. */
export function ariaDisabled(button: Locator): Promise<string | null> {
  return button.getAttribute('aria-disabled')
}

/** What the card becomes when its call is over. */
export function receipt(page: Page): Locator {
  return page.locator('.cs-receipt')
}

/** How far the person is on the way to a decision. */
export function stage(page: Page): Promise<string | null> {
  return page.locator('.cs-bar').getAttribute('data-stage')
}
