/**
 * Makes sure that the tests have a browser, bubblewrap and PgBouncer: finds them, or installs Debian's if allowed (root, apt-get, no
 * `COUNTERSIGN_NO_INSTALL`). Chromium comes with its headless shell, which takes half the time. One script for all, because
 * two runs of apt-get at the same time fail. Prints a line for tests that will be skipped; with `CI=true` that is a failure.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium, findShell, NO_CHROMIUM } from '@countersign/testing/browser/chromium'
import { hasBubblewrap, NO_BUBBLEWRAP } from '@countersign/testing/contain/bubblewrap'
import { findPgBouncer, NO_PGBOUNCER } from '@countersign/testing/postgres/pooler-program'

const STUCK_MS = 5 * 60_000

function mayInstall(): boolean {
  return (
    process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && process.env['COUNTERSIGN_NO_INSTALL'] === undefined
  )
}

/** Waits for another apt-get on this machine instead of failing. */
function aptGet(...words: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=240', ...words], { env, stdio: 'ignore', timeout: STUCK_MS })
}

function missingPackages(): readonly string[] {
  const isBrowserNamed = process.env['COUNTERSIGN_CHROMIUM'] !== undefined
  return [
    ...(hasBubblewrap() ? [] : ['bubblewrap']),
    ...(findPgBouncer() === undefined ? ['pgbouncer'] : []),
    ...(isBrowserNamed || findChromium() !== undefined ? [] : ['chromium']),
    ...(isBrowserNamed || findShell() !== undefined ? [] : ['chromium-headless-shell']),
  ]
}

const missing = missingPackages()
if (missing.length > 0 && mayInstall()) {
  aptGet('update')
  // One by one: a package that a release does not have must not keep the others out.
  for (const name of missing) aptGet('install', '-y', '--no-install-recommends', name)
}

const skipped = [
  ...(hasBubblewrap() ? [] : [NO_BUBBLEWRAP]),
  ...(findPgBouncer() === undefined ? [NO_PGBOUNCER] : []),
  ...(findChromium() === undefined ? [NO_CHROMIUM] : []),
]
for (const line of skipped) console.log(line)
if (skipped.length > 0 && process.env['CI'] === 'true') process.exitCode = 1
