import { NOMINAL_WORLD, shellCall } from '@countersign/testing/corpus/nominal-rating'
import { shellCorpus } from '@countersign/testing/corpus/shell-corpus'
import { parse } from 'unbash'
import { decompose, decomposeUnproven } from '../../packages/core/src/command/decompose.ts'
import { rateCommand } from '../../packages/core/src/risk/command/rate-command.ts'
import { rateRisk } from '../../packages/core/src/risk/rate-risk.ts'
import type { RiskReport } from '../../packages/core/src/risk/report/report.ts'
import { median } from '../interleave.ts'
import type { BenchRow, BenchTable } from '../table.ts'
import { formatText } from '../table.ts'
import { readCommands } from './read-commands.ts'

/** The target of one assessment, as a multiple of parsing the same command. */
const MOST = 5
/** The target of what the proof adds to rating, in percent. */
const MOST_ADDED = 20
/** Milliseconds within which input that is too long or too deep is rated. */
const AT_ONCE = 500

/** Warm-up passes over the whole corpus, which uses every path through the assessors, each rarely. */
const WARM_TURNS = 20
/** How often each command is repeated, interleaved with its parse. */
const REPEATS = 15

/** The measurements of one command, in nanoseconds. */
interface Times {
  readonly parsed: number[]
  readonly read: number[]
  readonly assessed: number[]
}

interface Row {
  readonly command: string
  readonly call: ReturnType<typeof shellCall>
}

/**
 * One shell assessment compared with a parse of the same command that finds every command, word and target (see
 * `readCommands`), command by command, interleaved. A run with another command each time is printed too: its caches
 * are cold, which costs the larger program more.
 */
export function benchRisk({ quick = false }: { readonly quick?: boolean } = {}): BenchTable {
  const rows = shellCorpus().map(({ command }): Row => ({ command, call: shellCall(command) }))
  const turns = quick ? 2 : WARM_TURNS
  for (let turn = 0; turn < turns; turn += 1) for (const row of rows) measure(row)
  const repeated = rows.map((row) => timesOf(Array.from({ length: quick ? 3 : REPEATS }, () => measure(row))))
  const scattered = measureScattered(rows, quick ? 3 : REPEATS)
  const proofs = measureProofs(rows, turns, quick ? 3 : REPEATS)
  return {
    title: 'Risk: one shell assessment',
    rows: [
      { name: 'unbash: lazy parse', median: overall(repeated, 'parsed'), unit: 'ns' },
      { name: 'unbash: full parse, every word and target', median: overall(repeated, 'read'), unit: 'ns' },
      assessmentRow('decompose and rate', repeated, MOST),
      assessmentRow('decompose and rate, another command each time', scattered),
      ...proofRows(proofs),
      ...tooMuch(quick),
    ],
    notes: [
      `medians over ${rows.length} commands of test/corpus/shell, each interleaved with its parse or its rating without a proof`,
      `the proof adds ${proofs.overall.toFixed(0)} % to the whole corpus: commands with loops, variables or \`cd\` are followed once more with exact words`,
    ],
  }
}

function assessmentRow(name: string, times: readonly Times[], most?: number): BenchRow {
  const whole = ratio(times, 'read')
  return {
    name,
    median: overall(times, 'assessed'),
    unit: 'ns',
    ratio: `${whole.toFixed(2)}× the full parse, ${ratio(times, 'parsed').toFixed(2)}× the lazy one`,
    ...(most === undefined ? {} : { target: `≤ ${most}× the full parse`, ok: whole <= most }),
  }
}

function overall(times: readonly Times[], what: keyof Times): number {
  return median(times.map((one) => median(one[what])))
}

function ratio(times: readonly Times[], base: 'parsed' | 'read'): number {
  return median(times.map((one) => median(one.assessed) / median(one[base])))
}

function measureScattered(rows: readonly Row[], turns: number): readonly Times[] {
  const all = rows.map((): ReturnType<typeof measure>[] => [])
  for (let turn = 0; turn < turns; turn += 1) for (const [at, row] of rows.entries()) all[at]?.push(measure(row))
  return all.map(timesOf)
}

interface Proofs {
  /** Nanoseconds, the medians over all commands. */
  readonly without: number
  readonly with: number
  /** What the proof adds in percent: the median over all commands, and to all of them together. */
  readonly added: number
  readonly overall: number
}

/** Rating with and without the proof, in turns. */
function measureProofs(rows: readonly Row[], warmTurns: number, repeats: number): Proofs {
  for (let turn = 0; turn < warmTurns; turn += 1) for (const row of rows) measureProof(row)
  const times = rows.map((row) => {
    const measured = Array.from({ length: repeats }, () => measureProof(row))
    return { without: median(measured.map((one) => one.without)), with: median(measured.map((one) => one.with)) }
  })
  const sum = (what: 'without' | 'with') => times.reduce((all, one) => all + one[what], 0)
  return {
    without: median(times.map((one) => one.without)),
    with: median(times.map((one) => one.with)),
    added: (median(times.map((one) => one.with / one.without)) - 1) * 100,
    overall: (sum('with') / sum('without') - 1) * 100,
  }
}

function measureProof({ command, call }: Row) {
  const start = process.hrtime.bigint()
  rateCommand(decomposeUnproven(command), call.cwd, NOMINAL_WORLD)
  const rated = process.hrtime.bigint()
  rateCommand(decompose(command), call.cwd, NOMINAL_WORLD, { proves: true })
  const proven = process.hrtime.bigint()
  return { without: Number(rated - start), with: Number(proven - rated) }
}

function proofRows({ without, with: proven, added }: Proofs): readonly BenchRow[] {
  return [
    { name: 'the command alone, without a proof', median: without, unit: 'ns' },
    {
      name: 'the command alone, with a proof',
      median: proven,
      unit: 'ns',
      ratio: `${added.toFixed(1)} % more`,
      target: `≤ ${MOST_ADDED} % more`,
      ok: added <= MOST_ADDED,
    },
  ]
}

function timesOf(measured: readonly ReturnType<typeof measure>[]): Times {
  return {
    parsed: measured.map((one) => one.parsed),
    read: measured.map((one) => one.read),
    assessed: measured.map((one) => one.assessed),
  }
}

function measure({ command, call }: Row) {
  const start = process.hrtime.bigint()
  parse(command)
  const parsed = process.hrtime.bigint()
  readCommands(command)
  const read = process.hrtime.bigint()
  rateRisk(call, decompose(command), NOMINAL_WORLD)
  const assessed = process.hrtime.bigint()
  return { parsed: Number(parsed - start), read: Number(read - parsed), assessed: Number(assessed - read) }
}

/** Input that is too long or too deep: rated high at once, with a reason. */
function tooMuch(quick: boolean): readonly BenchRow[] {
  const cases = [
    ['more than 64 KiB of words', `ls ${'a '.repeat(40_000)}`],
    ['more than 64 KiB of commands', 'true;'.repeat(14_000)],
    ['5,000-deep nesting', `${'$('.repeat(5_000)}ls${')'.repeat(5_000)}`],
  ] as const
  return cases.map(([name, command]) => {
    const call = shellCall(command)
    const times: number[] = []
    let report: RiskReport | undefined
    for (let turn = 0; turn < (quick ? 2 : 9); turn += 1) {
      const start = process.hrtime.bigint()
      report = rateRisk(call, decompose(command), NOMINAL_WORLD)
      times.push(Number(process.hrtime.bigint() - start))
    }
    const said = report?.reasons.find(({ rule }) => rule.startsWith('shell.too-'))?.text
    const high = report?.level === 'high' || report?.level === 'critical'
    return {
      name,
      median: median(times),
      unit: 'ns',
      ratio: `${report?.level ?? 'no answer'}: ${said ?? 'does not say why'}`,
      target: `high, within ${AT_ONCE} ms`,
      ok: high && said !== undefined && median(times) <= AT_ONCE * 1e6,
    }
  })
}

if (import.meta.main) console.log(formatText(benchRisk()))
