import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Makes a suite wait longer for answers. */
const PATIENT = fileURLToPath(new URL('patient-timers.mjs', import.meta.url))

/** The separate install folder of the official servers, suites and the Inspector. */
export const SERVERS = fileURLToPath(new URL('../servers/node_modules/', import.meta.url))

/** Why tests with the official programs are skipped if they could not be installed. */
export const NO_SERVERS =
  'the official MCP servers and suites are not installed, so their tests are skipped; run `npm install --no-save` in test/mcp/servers'

/** Whether the official programs are installed. */
export function hasServers(): boolean {
  return existsSync(join(SERVERS, 'conformance-draft/package.json'))
}

/** The official sets: the stable one, the one for 2026-07-28, and the requirements of that version. */
export const SETS = {
  'stable active': ['conformance-stable'],
  'draft active': ['conformance-draft'],
  'requirements 2026-07-28': ['conformance-draft', '--requirements', '2026-07-28'],
} as const

export type SetName = keyof typeof SETS

/** The checks of each scenario with their results. */
export type Results = ReadonlyMap<string, readonly string[]>

/** Runs one official set against a URL and reads the checks of every scenario. */
export async function runConformance(set: SetName, url: string): Promise<Results> {
  const [suite, ...flags] = SETS[set]
  const folder = mkdtempSync(join(tmpdir(), 'countersign-conformance-'))
  try {
    await run([join(SERVERS, suite, 'dist/index.js'), 'server', '--url', url, '-o', folder, ...flags])
    const results = new Map<string, readonly string[]>()
    for (const name of readdirSync(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1]
      if (scenario !== undefined) results.set(scenario, checksIn(join(folder, name, 'checks.json')))
    }
    return new Map([...results].sort(([a], [b]) => (a < b ? -1 : 1)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checksIn(path: string): readonly string[] {
  const checks = JSON.parse(readFileSync(path, 'utf8')) as readonly { readonly id: string; readonly status: string }[]
  return checks.map(({ id, status }) => `${id}: ${status}`).sort()
}

/** The suite exits with an error if a scenario fails, so only its report counts. */
function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', PATIENT, ...args], { stdio: 'ignore' })
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

/** The numbers of passed and failed checks over all scenarios. */
export function totals(results: Results): { readonly passed: number; readonly failed: number } {
  const all = [...results.values()].flat()
  return {
    passed: all.filter((check) => check.endsWith(': SUCCESS')).length,
    failed: all.filter((check) => check.endsWith(': FAILURE')).length,
  }
}
