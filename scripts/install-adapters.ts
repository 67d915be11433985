/**
 * Installs the agent SDKs that `packages/adapters` is tested with, each from its lock file into its own folder of
 * `test/adapters/sdks` and without install scripts. Arguments are folders, such as `ai-sdk`; without any, all are installed.
 */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { isInstalled, SDKS, sdkFolder } from '../test/adapters/support/sdks.ts'

const STUCK_MS = 10 * 60_000
const FLAGS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
/** Its program is an optional package, one for each platform. */
const WITH_OPTIONAL = 'claude-agent-sdk'

const wanted = process.argv.slice(2)
// npm runs on the first Node of the PATH, and under an old one picks old majors.
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }

for (const sdk of SDKS) {
  if (isInstalled(sdk) || (wanted.length > 0 && !wanted.includes(sdk))) continue
  if (process.env['COUNTERSIGN_NO_INSTALL'] !== undefined) {
    console.log(`not installed: ${sdk}, because COUNTERSIGN_NO_INSTALL is set`)
    continue
  }
  const { status } = spawnSync('npm', sdk === WITH_OPTIONAL ? FLAGS : [...FLAGS, '--omit=optional'], {
    cwd: sdkFolder(sdk),
    stdio: 'inherit',
    timeout: STUCK_MS,
    env,
  })
  if (status !== 0) console.log(`not installed: ${sdk}`)
}
