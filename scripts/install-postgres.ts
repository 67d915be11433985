/**
 * Makes sure that the tests have a PostgreSQL server: where the machine has none, installs one from npm into a separate
 * folder, and for the long tests a second version, unless `COUNTERSIGN_NO_INSTALL` is set. Prints a line if tests will be
 * skipped; with `CI=true` that is a failure.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  installedPostgres,
  linkLibraries,
  NO_POSTGRES,
  NPM_SERVER,
  packageFolder,
} from '@countersign/testing/postgres/programs'

const STUCK_MS = 5 * 60_000
const wanted = process.env['COUNTERSIGN_FULL'] === '1' ? 2 : 1

if (installedPostgres().length < wanted && process.env['COUNTERSIGN_NO_INSTALL'] === undefined) {
  // No script of the package runs: it would only make the links.
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', ['install', ...flags], { cwd: NPM_SERVER, stdio: 'ignore', timeout: STUCK_MS })
  if (existsSync(packageFolder())) linkLibraries(packageFolder())
}
const found = installedPostgres()
if (found.length < wanted) console.log(found.length === 0 ? NO_POSTGRES : 'only one version of PostgreSQL is installed')
if (found.length === 0 && process.env['CI'] === 'true') process.exitCode = 1
