import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
}

/** The rules about colours, the only ones that depend on the theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** The violations that axe finds, one line per rule. */
async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    // No enabled rule needs the style sheets that axe would otherwise fetch and parse first.
    const options = { resultTypes: ['violations'], preload: false, ...(only === undefined ? {} : { runOnly: only }) }
    const { violations: found } = await axe.run(options)
    return found.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
    )
  }, rules)
}

/** Switches the theme, and ends the transitions, which would show intermediate colours. */
async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(
    'document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finish())',
  )
}

/** Expects no violations in the light theme. */
export async function expectNoViolations(page: Page, what: string): Promise<void> {
  await showTheme(page, 'light')
  expect({ what, found: await violations(page) }).toEqual({ what, found: [] })
}

/** Expects no violations in the light theme, and none about colours in the dark theme. */
export async function expectNoViolationsInBothThemes(page: Page, what: string): Promise<void> {
  await expectNoViolations(page, what)
  await showTheme(page, 'dark')
  const found = await violations(page, OF_COLOURS)
  expect({ what, theme: 'dark', found }).toEqual({ what, theme: 'dark', found: [] })
}
