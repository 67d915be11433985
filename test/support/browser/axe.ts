import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
}

/** Rules that look at colours: nothing else of a page depends on its theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe finds wrong with a page as it is now, one line for each rule. */
async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const options = { resultTypes: ['violations'], ...(only === undefined ? {} : { runOnly: only }) }
    const { violations: found } = await axe.run(options)
    return found.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
    )
  }, rules)
}

/** A page as it is now breaks no rule of axe, in the light theme alone. A colour on its way to another one is none yet. */
export async function expectNoViolations(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect({ what, found: await violations(page) }).toEqual({ what, found: [] })
}

/** The same in both themes: every rule in the light one, those of colours in the dark one too. */
export async function expectNoViolationsInBothThemes(page: Page, what: string): Promise<void> {
  await expectNoViolations(page, what)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const found = await violations(page, OF_COLOURS)
  expect({ what, theme: 'dark', found }).toEqual({ what, theme: 'dark', found: [] })
}
