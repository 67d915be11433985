import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Scrolls a card until its end stands above the buttons and it may be approved; what loads late makes it longer. */
export async function readToEnd(page: Page): Promise<void> {
  const ends = page.locator('.cs-end')
  await ends.first().waitFor({ state: 'attached' })
  await expect
    .poll(async () => {
      for (const end of await ends.all()) await lookAt(end)
      return page.getByRole('button', { name: /^Approve/ }).getAttribute('aria-disabled')
    })
    .not.toBe('true')
}

/** Brings it before the person's eyes and leaves it there until the page has drawn it: what flits past was not seen. */
export function lookAt(what: Locator): Promise<void> {
  return what.evaluate(
    (element) =>
      new Promise<void>((seen) => {
        // What is drawn on the way there may move it out of sight again, so that it takes more than one try.
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
