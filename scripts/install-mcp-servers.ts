/**
 * Makes sure that the MCP tests have the official servers, suites and Inspector: installs them into a separate folder
 * unless `COUNTERSIGN_NO_INSTALL` is set. Prints a line if tests will be skipped; with `CI=true` that is a
 * failure.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { hasServers, NO_SERVERS } from '../test/mcp/support/conformance.ts'

const STUCK_MS = 5 * 60_000
const folder = join(import.meta.dirname, '../test/mcp/servers')

if (!hasServers() && process.env['COUNTERSIGN_NO_INSTALL'] === undefined) {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', ['install', ...flags], { cwd: folder, stdio: 'ignore', timeout: STUCK_MS })
}
if (!hasServers()) {
  console.log(NO_SERVERS)
  if (process.env['CI'] === 'true') process.exitCode = 1
}
