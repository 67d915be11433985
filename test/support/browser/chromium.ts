import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const SHELL = '/usr/bin/chromium-headless-shell'
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome']

/** Where a Chromium is; undefined when there is none. `COUNTERSIGN_CHROMIUM` names another. */
export function findChromium(): string | undefined {
  const named = process.env['COUNTERSIGN_CHROMIUM']
  return [...(named === undefined ? [] : [named]), ...PLACES].find((path) => existsSync(path))
}

/** Debian's Chromium without windows, where it is: the same pages for half the work. It has no notices for the desktop. */
export function findShell(): string | undefined {
  return existsSync(SHELL) ? SHELL : undefined
}

/** What to do where no browser is. */
export const NO_CHROMIUM =
  'no Chromium found: the browser tests are left out; install one (`apt-get install chromium`) or name it in COUNTERSIGN_CHROMIUM'

/** Starts a headless Chromium: the `whole` of it, or what is quickest of those that are here. */
export async function launchBrowser(kind: 'whole' | 'quickest' = 'quickest'): Promise<Browser> {
  const whole = findChromium()
  if (whole === undefined) throw new Error(NO_CHROMIUM)
  const isNamed = process.env['COUNTERSIGN_CHROMIUM'] !== undefined
  const executablePath = kind === 'whole' || isNamed ? whole : (findShell() ?? whole)
  const asRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: asRoot ? ['--no-sandbox'] : [] })
}
