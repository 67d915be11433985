import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Invisible characters that must not occur unmarked in texts or attributes. */
const UNMARKED = /[\p{Cf}\p{Co}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u3164\u2800]/u

/** Elements that exist only if untrusted text became markup. */
const STRANGE =
  '#root script, #root style, #root iframe, #root img:not([src="/icon.svg"]), #root [onerror], #root [onload], #root a[href^="javascript"]'

/**
 * Expects that no untrusted text ran (it would set `globalThis.hit`) or became markup, and that invisible characters
 * are marked.
 */
export async function expectInert(page: Page, where: string): Promise<void> {
  const html = await page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement
    for (const typed of copy.querySelectorAll('input, textarea')) typed.remove() // typed by the person
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
