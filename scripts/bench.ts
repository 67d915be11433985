/**
 * Runs every bench, prints its tables, and writes them to bench/RESULTS.md after a full run of all.
 * `--only policy|gate|memory|secrets|risk|runners|intent|service|startup|terminal|mcp|contain|hooks|postgres` runs one; `--quick` is a short smoke test.
 */
import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, platform } from 'node:os'
import { join } from 'node:path'
import { type BenchTable, formatMarkdown, formatText } from '../bench/table.ts'

const BENCHES = [
  'policy',
  'gate',
  'memory',
  'secrets',
  'risk',
  'runners',
  'intent',
  'service',
  'startup',
  'terminal',
  'mcp',
  'contain',
  'hooks',
  'postgres',
] as const

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
const chosen = BENCHES.filter((name) => only === undefined || name === only)
if (chosen.length === 0) {
  console.error(`\`--only\` takes one of ${BENCHES.join(', ')}`)
  process.exit(2)
}

/** A separate process for each bench, so that compiled code and memory of one do not affect the next. */
function run(name: string): Promise<readonly BenchTable[]> {
  return new Promise((resolve, reject) => {
    const child = fork(join(root, 'bench/one.ts'), [name, ...(quick ? ['--quick'] : [])], {
      execArgv: ['--conditions=countersign-source', '--disable-warning=ExperimentalWarning'],
      cwd: root,
    })
    let tables: readonly BenchTable[] | undefined
    child.on('message', (message) => {
      tables = message as readonly BenchTable[]
    })
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      tables === undefined ? reject(new Error(`bench ${name} ended with ${code ?? signal}`)) : resolve(tables),
    )
  })
}

function results(tables: readonly BenchTable[]): string {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${availableParallelism()} cores, ${process.arch} ${platform()}, Node ${process.versions.node}`
  return [
    '# Results of `npm run bench`',
    '',
    `${day}, on a machine with ${machine}. Written by the command; medians of interleaved turns in one run.`,
    'Machines differ and are shared: trust the ratios, not the absolute values.',
    '',
    ...tables.map(formatMarkdown),
  ].join('\n')
}

const tables: BenchTable[] = []
for (const name of chosen) {
  const measured = await run(name)
  for (const table of measured) console.log(formatText(table))
  tables.push(...measured)
}
const missed = tables.flatMap(({ rows }) => rows.filter((row) => row.ok === false))
for (const { name, ratio, target } of missed) console.log(`missed: ${name}, ${ratio ?? 'see above'}, target ${target}`)
if (!quick && only === undefined) writeFileSync(join(root, 'bench/RESULTS.md'), results(tables))
process.exitCode = missed.length === 0 || quick ? 0 : 1
