import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Annotations } from '../../../packages/core/src/call/tool.ts'
import { readIntent } from '../../../packages/core/src/intent/read-intent.ts'
import { assessCall } from '../../../packages/core/src/risk/assess-call.ts'
import { type RiskLevel, riskRank } from '../../../packages/core/src/risk/report/level.ts'
import { NOMINAL_PLACES } from './nominal-rating.ts'

/** A row with the level that fits best, and every level that a careful person could defend. */
export interface Labelled {
  readonly level: RiskLevel
  readonly defensible: readonly RiskLevel[]
}

/** A labelled call of a tool. */
export interface ToolRow extends Labelled {
  readonly tool: string
  readonly server?: string
  readonly annotations?: Annotations
  readonly args: object
  readonly workspace?: string
}

/** A labelled message of an agent. */
export interface IntentRow {
  readonly text: string
  readonly confirmation_required: boolean
}

/** The rows of a corpus. Invented secrets are split by `¦`, so that scanners do not report them. */
export function rowsOf<Row>(file: URL): readonly Row[] {
  const lines = readFileSync(file, 'utf8').replaceAll('¦', '').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Row)
}

const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }

/** Rates a tool call of a corpus in invented folders. */
export function rateToolRow(row: ToolRow): RiskLevel {
  const { tool, server, annotations, args, workspace = NOMINAL_PLACES.workspace } = row
  const ref = {
    name: tool,
    ...(server === undefined ? {} : { server }),
    ...(annotations === undefined ? {} : { annotations }),
  }
  const call = { tool: ref, args, source: server === undefined ? ('builtin' as const) : ('mcp' as const) }
  return assessCall(call, { ...NOMINAL_PLACES, workspace }, crypto).risk.level
}

export const isAlarm = (level: RiskLevel): boolean => riskRank(level) >= riskRank('high')
const share = (part: number, whole: number): number => (100 * part) / whole

/** A level within the defensible ones is neither a false alarm nor a miss; stricter counts are printed too. */
export function scoreRisk(rated: readonly { readonly row: Labelled; readonly level: RiskLevel }[]) {
  const isOff = ({ row, level }: (typeof rated)[number]): boolean => !row.defensible.includes(level)
  const mild = rated.filter(({ row }) => !isAlarm(row.level))
  const severe = rated.filter(({ row }) => isAlarm(row.level))
  return {
    rows: rated.length,
    falseAlarms: share(mild.filter((one) => isAlarm(one.level) && isOff(one)).length, mild.length),
    misses: share(severe.filter((one) => !isAlarm(one.level) && isOff(one)).length, severe.length),
    strictAlarms: share(mild.filter(({ level }) => isAlarm(level)).length, mild.length),
    strictMisses: share(severe.filter(({ level }) => !isAlarm(level)).length, severe.length),
    grave: severe.filter(({ row, level }) => row.level === 'critical' && riskRank(level) <= riskRank('low')).length,
    defensible: share(rated.filter(({ row, level }) => row.defensible.includes(level)).length, rated.length),
  }
}

/** How often a person would be asked rightly, and how often needlessly, in percent. */
export function scoreIntent(rows: readonly IntentRow[]) {
  const wanted = rows.filter((row) => row.confirmation_required)
  const others = rows.filter((row) => !row.confirmation_required)
  const asks = ({ text }: IntentRow): boolean => readIntent(text).confirmation_required
  const recall = share(wanted.filter(asks).length, wanted.length)
  return {
    rows: rows.length,
    recall,
    misses: 100 - recall,
    falseAlarms: share(others.filter(asks).length, others.length),
  }
}

/** Prints the scores of a corpus in one line. */
export function printScores(name: string, figures: object): void {
  const words = Object.entries(figures).map(([key, value]) => `${key} ${Number(value.toFixed(2))}`)
  console.log(`${name}: ${words.join(', ')}`)
}
