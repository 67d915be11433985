import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Our own words, and what is quoted in them, hold nothing of this unmarked, in texts and in attributes. */
const UNMARKED = /[\p{Cf}\p{Co}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u3164\u2800]/u

/** What a foreign text would have made of itself, had a page taken it for more than letters. */
const STRANGE =
  '#root script, #root style, #root iframe, #root img:not([src="/icon.svg"]), #root [onerror], #root [onload], #root a[href^="javascript"]'

/** Nothing of a foreign text has run or become markup, and what hides in it is marked; `globalThis.hit` is its mark. */
export async function expectInert(page: Page, where: string): Promise<void> {
  const html = await page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement
    for (const typed of copy.querySelectorAll('input, textarea')) typed.remove() // what the person wrote
    return document.title + copy.outerHTML
  })
  expect({ where, found: UNMARKED.exec(html)?.[0] ?? null }).toEqual({ where, found: null })
  const made = await page.evaluate(
    (strange) => ({
      hit: (globalThis as { hit?: number }).hit ?? null,
      strange: document.querySelectorAll(strange).length,
    }),
    STRANGE,
  )
  expect({ where, ...made }).toEqual({ where, hit: null, strange: 0 })
}
