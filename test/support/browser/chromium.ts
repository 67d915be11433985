import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const SHELL = '/usr/bin/chromium-headless-shell'
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome']

/** The path of Chromium, if installed. `COUNTERSIGN_CHROMIUM` overrides it. */
export function findChromium(): string | undefined {
  const named = process.env['COUNTERSIGN_CHROMIUM']
  return [...(named === undefined ? [] : [named]), ...PLACES].find((path) => existsSync(path))
}

/** Debian's headless shell, if installed: half the CPU time, but without desktop notifications. */
export function findShell(): string | undefined {
  return existsSync(SHELL) ? SHELL : undefined
}

/** Printed if there is no browser. */
export const NO_CHROMIUM =
  'no Chromium found, so the browser tests are skipped; install it (`apt-get install chromium`) or set COUNTERSIGN_CHROMIUM'

/** Launches the full headless Chromium (`whole`) or the quickest one installed. */
export async function launchBrowser(kind: 'whole' | 'quickest' = 'quickest'): Promise<Browser> {
  const whole = findChromium()
  if (whole === undefined) throw new Error(NO_CHROMIUM)
  const isNamed = process.env['COUNTERSIGN_CHROMIUM'] !== undefined
  const executablePath = kind === 'whole' || isNamed ? whole : (findShell() ?? whole)
  const asRoot = process.getuid?.() === 0
  const args = [
    ...(asRoot ? ['--no-sandbox'] : []),
    ...(kind === 'quickest' ? ['--disable-gpu', '--in-process-gpu'] : []),
  ]
  return chromium.launch({ executablePath, args })
}
