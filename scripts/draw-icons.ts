/**
 * Draws `packages/web/public/icon-192.png` and `icon-512.png` from `icon.svg` with the browser of the tests.
 * Run `npx node --conditions=countersign-source scripts/draw-icons.ts` after a change of the drawing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '@countersign/testing/browser/chromium'

const folder = join(import.meta.dirname, '../packages/web/public')
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8')
const browser = await launchBrowser('whole')
try {
  for (const size of [192, 512]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
    writeFileSync(join(folder, `icon-${size}.png`), await page.screenshot({ omitBackground: true }))
    await page.close()
  }
} finally {
  await browser.close()
}
