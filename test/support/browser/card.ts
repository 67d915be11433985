import type { Locator, Page } from 'playwright-core'

/** Waits until the card is armed, so that presses count. */
export async function armed(page: Page): Promise<void> {
  await movePointer(page)
  await page.locator('.cs-bar[data-armed=true]').waitFor()
}

/** Moves the mouse over the page, as a person does on the way to a button, along the edge where nothing reacts to it. */
export async function movePointer(page: Page): Promise<void> {
  const x = (page.viewportSize()?.width ?? 1280) - 3
  await page.mouse.move(x, 4)
  await page.mouse.move(x, 44, { steps: 4 })
}

/** The approve button. */
export function approve(page: Page): Locator {
  return page.getByRole('button', { name: /^Approve/ })
}

/** The button that approves an undo. */
export function undo(page: Page): Locator {
  return page.locator('.cs-bar').getByRole('button', { name: /^Undo/ })
}

/** The `aria-disabled` state of a button, which stays focusable to explain why. */
export function ariaDisabled(button: Locator): Promise<string | null> {
  return button.getAttribute('aria-disabled')
}

/** The receipt that replaces the card of a closed call. */
export function receipt(page: Page): Locator {
  return page.locator('.cs-receipt')
}

/** The stage of the decision bar. */
export function stage(page: Page): Promise<string | null> {
  return page.locator('.cs-bar').getAttribute('data-stage')
}

/** Navigates inside an open page, like its links; reloading takes four times as long. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
}
