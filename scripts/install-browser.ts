/**
 * Makes sure that the browser tests have a browser: finds a Chromium, or installs Debian's if allowed (root, apt-get, no
 * `COUNTERSIGN_NO_INSTALL`) together with its headless shell, which takes half the time. Prints a line if the tests will
 * be skipped; with `CI=true` that is a failure.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium, findShell, NO_CHROMIUM } from '@countersign/testing/browser/chromium'

const STUCK_MS = 5 * 60_000

function mayInstall(): boolean {
  return (
    process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && process.env['COUNTERSIGN_NO_INSTALL'] === undefined
  )
}

function aptGet(...words: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', words, { env, stdio: 'ignore', timeout: STUCK_MS }).status === 0
}

const isWhole = findChromium() !== undefined && findShell() !== undefined
if (!isWhole && process.env['COUNTERSIGN_CHROMIUM'] === undefined && mayInstall() && aptGet('update')) {
  aptGet('install', '-y', '--no-install-recommends', 'chromium')
  aptGet('install', '-y', '--no-install-recommends', 'chromium-headless-shell')
}
if (findChromium() === undefined) {
  console.log(NO_CHROMIUM)
  if (process.env['CI'] === 'true') process.exitCode = 1
}
