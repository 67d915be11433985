/**
 * The test command: the build, the static checks, then every test. `--full` adds the long runs.
 * Ends with what was left out and why, and one line, `N passed, N failed`; each step before the tests counts as one.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leftOut, type TestFile } from './left-out.ts'

interface Count {
  readonly passed: number
  readonly failed: number
  /** A line for each reason why tests did not run. */
  readonly leftOut?: readonly string[]
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly (TestFile & { readonly status: string })[]
}

const root = join(import.meta.dirname, '..')
const full = process.argv.includes('--full')
/** Processes of the command are the built one: `build` is the first step. */
const env = {
  ...process.env,
  COUNTERSIGN_BUILT: '1',
  ...(full ? { COUNTERSIGN_FULL: '1', COUNTERSIGN_CASES: '1000000' } : {}),
}

/** A step that takes this long hangs, and has failed. */
const STUCK_MS = 45 * 60_000

const STEPS: readonly (readonly [name: string, script: string, ...args: string[]])[] = [
  ['build', 'scripts/build.ts'],
  ['browser', 'scripts/install-browser.ts'],
  ['official MCP servers', 'scripts/install-mcp-servers.ts'],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['types of tests and scripts', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'],
  ['types of what runs in a browser', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.browser.json'],
  ['import directions and house rules', 'scripts/check-imports.ts'],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
]

function timed<T>(name: string, isGood: (result: T) => boolean, run: () => T): T {
  const start = performance.now()
  const result = run()
  console.log(`${isGood(result) ? '✓' : '✗'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  return result
}

function node(script: string, args: readonly string[]): boolean {
  const options = { cwd: root, env, stdio: 'inherit', ...(full ? {} : { timeout: STUCK_MS }) } as const
  return spawnSync(process.execPath, [join(root, script), ...args], options).status === 0
}

function runTests(): Count {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  const report = join(folder, 'report.json')
  try {
    const clean = node('node_modules/vitest/vitest.mjs', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ])
    const count = countTests(readFileSync(report, 'utf8'))
    // A run that went wrong in no test (an unhandled error, say) has failed all the same.
    return { ...count, failed: clean || count.failed > 0 ? count.failed : 1 }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that could not even be loaded has no tests, and counts as one that failed. */
function countTests(text: string): Count {
  const report: VitestReport = JSON.parse(text)
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    leftOut: leftOut(report.testResults),
  }
}

const counts = STEPS.map(([name, script, ...args]): Count => {
  const good = timed(name, Boolean, () => node(script, args))
  return { passed: good ? 1 : 0, failed: good ? 0 : 1 }
})
counts.push(timed(full ? 'tests, with the long runs' : 'tests', (count) => count.failed === 0, runTests))

const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
for (const line of counts.flatMap((count) => count.leftOut ?? [])) console.log(line)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
