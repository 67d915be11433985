import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Annotations } from '../../packages/core/src/call/tool.ts'
import { assessCall } from '../../packages/core/src/risk/assess-call.ts'
import { type RiskLevel, riskRank } from '../../packages/core/src/risk/report/level.ts'

interface Row {
  readonly tool: string
  readonly server?: string
  readonly annotations?: Annotations
  readonly args: object
  readonly workspace?: string
  readonly level: RiskLevel
  readonly defensible: readonly RiskLevel[]
}

/** All files but `review-findings` were labelled before they were first rated. Invented secrets are split by `¦`, so that scanners do not report them. */
const FOLDER = join(import.meta.dirname, 'tools')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
const rows = FILES.flatMap((name) =>
  readFileSync(join(FOLDER, name), 'utf8')
    .replaceAll('¦', '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row),
)

const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }

function rate({ tool, server, annotations, args, workspace = '/home/user/project' }: Row): RiskLevel {
  const places = { workspace, home: '/home/user', gate: '/home/user/.countersign', temp: '/tmp' }
  const ref = {
    name: tool,
    ...(server === undefined ? {} : { server }),
    ...(annotations === undefined ? {} : { annotations }),
  }
  return assessCall({ tool: ref, args, source: server === undefined ? 'builtin' : 'mcp' }, places, crypto).risk.level
}

const isAlarm = (level: RiskLevel): boolean => riskRank(level) >= riskRank('high')
const shown = ({ tool, server, args, level }: Row, rated: RiskLevel): string =>
  `${level} rated ${rated}: ${server ?? '-'}/${tool} ${JSON.stringify(args).slice(0, 100)}`

describe('the corpus of tool calls', () => {
  const rated = rows.map((row) => ({ row, level: rate(row) }))
  const severe = rated.filter(({ row }) => isAlarm(row.level))
  const mild = rated.filter(({ row }) => !isAlarm(row.level))
  const missed = severe.filter(({ level }) => !isAlarm(level))
  const alarms = mild.filter(({ level }) => isAlarm(level))
  const outside = rated.filter(({ row, level }) => !row.defensible.includes(level))
  const percent = (part: readonly unknown[], whole: readonly unknown[]): number => (100 * part.length) / whole.length

  it('is large enough, with valid labels', () => {
    expect(rows.length).toBeGreaterThanOrEqual(220)
    expect(rows.filter(({ level, defensible }) => !defensible.includes(level))).toEqual([])
  })

  it('prints its scores', () => {
    console.log(
      `tool calls: ${rows.length} rows, misses ${percent(missed, severe).toFixed(1)} % of ${severe.length}, ` +
        `false alarms ${percent(alarms, mild).toFixed(1)} % of ${mild.length}, ` +
        `in the defensible set ${(100 - percent(outside, rated)).toFixed(1)} %`,
    )
    expect(percent(outside, rated)).toBeLessThanOrEqual(8)
  })

  it('has few misses at high and critical risk', () => {
    const list = missed.map(({ row, level }) => shown(row, level)).join('\n')
    expect(percent(missed, severe), list).toBeLessThanOrEqual(4)
  })

  it('has few false alarms at lower risk', () => {
    const list = alarms.map(({ row, level }) => shown(row, level)).join('\n')
    expect(percent(alarms, mild), list).toBeLessThanOrEqual(2)
  })
})
