/**
 * The test command: builds everything, then runs the static checks beside the tests. `--full` adds the long tests.
 * The last lines show what was skipped and why, and `N passed, N failed`; each step besides the tests counts as one.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, sep } from 'node:path'
import { skippedTests, type TestFile } from './skipped-tests.ts'

interface Count {
  readonly passed: number
  readonly failed: number
  /** One line for each reason why tests were skipped. */
  readonly skipped?: readonly string[]
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly (TestFile & { readonly status: string })[]
}

type Step = readonly [name: string, script: string, ...args: string[]]

const root = join(import.meta.dirname, '..')
const full = process.argv.includes('--full')
/**
 * Makes tests start the built command. A checkout may be where the gate distrusts programs, such as below /tmp: there, tests use
 * only the system's programs, without the folders that npm adds.
 */
const env = {
  ...process.env,
  ...(isTemporary(root) ? { PATH: withoutPackages(process.env['PATH'] ?? '') } : {}),
  COUNTERSIGN_BUILT: '1',
  ...(full ? { COUNTERSIGN_FULL: '1', COUNTERSIGN_CASES: '1000000' } : {}),
}

function isTemporary(folder: string): boolean {
  return [tmpdir(), '/tmp', '/var/tmp'].some((one) => folder.startsWith(`${one}${sep}`))
}

function withoutPackages(path: string): string {
  const folders = path.split(delimiter).filter((folder) => !folder.includes('/node_modules/'))
  return folders.join(delimiter)
}

/** The timeout of a step, which then counts as failed. */
const STUCK_MS = 45 * 60_000

/** Required by the tests. Installing waits for the network while the build uses the CPU. */
const PREPARATION: readonly Step[] = [
  ['build', 'scripts/build.ts'],
  ['browser, bubblewrap, PgBouncer', 'scripts/install-system-packages.ts'],
  ['official MCP servers', 'scripts/install-mcp-servers.ts'],
  ['PostgreSQL', 'scripts/install-postgres.ts'],
]

const CHECKS: readonly Step[] = [
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['types of tests and scripts', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'],
  ['types of browser code', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.browser.json'],
  ['import directions and house rules', 'scripts/check-imports.ts'],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
]

/** Runs a script with this Node; true if it exits with 0. `at end` prints its output after it exits. */
function runScript(script: string, args: readonly string[], output: 'live' | 'at end'): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: root,
      env,
      stdio: output === 'live' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      ...(full ? {} : { timeout: STUCK_MS }),
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', () => resolve(false))
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(chunks))
      resolve(code === 0)
    })
  })
}

async function timed<T>(name: string, isGood: (result: T) => boolean, run: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await run()
  console.log(`${isGood(result) ? '✓' : '✗'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  return result
}

async function runStep([name, script, ...args]: Step): Promise<Count> {
  const good = await timed(name, Boolean, () => runScript(script, args, 'at end'))
  return { passed: good ? 1 : 0, failed: good ? 0 : 1 }
}

async function runTests(): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  const report = join(folder, 'report.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const clean = await runScript('node_modules/vitest/vitest.mjs', args, 'live')
    const count = countTests(readFileSync(report, 'utf8'))
    // An unhandled error outside of a test also fails the run.
    return { ...count, failed: clean || count.failed > 0 ? count.failed : 1 }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that cannot be loaded has no tests and counts as one failure. */
function countTests(text: string): Count {
  const report: VitestReport = JSON.parse(text)
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: skippedTests(report.testResults),
  }
}

async function runChecks(): Promise<readonly Count[]> {
  const counts: Count[] = []
  for (const step of CHECKS) counts.push(await runStep(step))
  return counts
}

const prepared = await Promise.all(PREPARATION.map(runStep))
const [checked, tested] = await Promise.all([
  runChecks(),
  timed(full ? 'tests, with the long ones' : 'tests', (count) => count.failed === 0, runTests),
])
const counts = [...prepared, ...checked, tested]

const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
for (const line of counts.flatMap((count) => count.skipped ?? [])) console.log(line)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
