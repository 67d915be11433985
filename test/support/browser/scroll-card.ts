import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Scrolls to the end of a card until it can be approved. Content that loads late makes it longer. */
export async function readToEnd(page: Page): Promise<void> {
  const ends = page.locator('.cs-end')
  await ends.first().waitFor({ state: 'attached' })
  await expect
    .poll(async () => {
      for (const end of await ends.all()) await lookAt(end)
      return page.getByRole('button', { name: /^(?:Approve|Undo|Proceed)/ }).getAttribute('aria-disabled')
    })
    .not.toBe('true')
}

/** Looks at every marked end from top to bottom: expanded texts, the preview and the card. */
export async function readEverything(page: Page): Promise<void> {
  for (const end of await page.locator('.cs-code-end, .cs-preview-end, .cs-end').all()) await lookAt(end)
}

/** Scrolls an element into view and keeps it there until the page has painted it. */
export function lookAt(what: Locator): Promise<void> {
  return what.evaluate(
    (element) =>
      new Promise<void>((seen) => {
        // Lazy content may move it out of view again, so repeat.
        const show = () => element.scrollIntoView({ block: 'center' })
        const again = setInterval(show, 100)
        const observer = new IntersectionObserver((found) => {
          if (!found.some((one) => one.isIntersecting)) return
          clearInterval(again)
          observer.disconnect()
          requestAnimationFrame(() => seen())
        })
        show()
        observer.observe(element)
      }),
  )
}
