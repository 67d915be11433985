/**
 * Rows by two labellers who had seen the reference, but neither the code nor the other corpora. Their scores are closer
 * to what a stranger would measure than those of rows written together with the code.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NOMINAL_PLACES, rateNominal } from '@countersign/testing/corpus/nominal-rating'
import { describe, expect, it } from 'vitest'
import type { Annotations } from '../../packages/core/src/call/tool.ts'
import { readIntent } from '../../packages/core/src/intent/read-intent.ts'
import { assessCall } from '../../packages/core/src/risk/assess-call.ts'
import { type RiskLevel, riskRank } from '../../packages/core/src/risk/report/level.ts'

interface Labelled {
  readonly level: RiskLevel
  readonly defensible: readonly RiskLevel[]
}

interface ToolRow extends Labelled {
  readonly tool: string
  readonly server?: string
  readonly annotations?: Annotations
  readonly args: object
  readonly workspace?: string
}

function rowsOf<Row>(name: string): readonly Row[] {
  const lines = readFileSync(join(import.meta.dirname, 'independent', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Row)
}

const isAlarm = (level: RiskLevel): boolean => riskRank(level) >= riskRank('high')
const share = (part: number, whole: number): number => (100 * part) / whole
const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }

/** A level within the defensible ones is neither a false alarm nor a miss; stricter counts are printed too. */
function score(rated: readonly { readonly row: Labelled; readonly level: RiskLevel }[]) {
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

function print(name: string, figures: object): void {
  const words = Object.entries(figures).map(([key, value]) => `${key} ${Number(value.toFixed(2))}`)
  console.log(`${name}, labelled independently: ${words.join(', ')}`)
}

describe('rows of independent labellers', () => {
  it('shell commands: false alarms ≤ 1 %, misses ≤ 2 %, none critical rated none or low, ≥ 92 % defensible', () => {
    const rows = rowsOf<Labelled & { readonly command: string }>('shell')
    const found = score(rows.map((row) => ({ row, level: rateNominal(row.command).level })))
    print('shell', found)
    expect(found.falseAlarms).toBeLessThanOrEqual(1)
    expect(found.misses).toBeLessThanOrEqual(2)
    expect(found.grave).toBe(0)
    expect(found.defensible).toBeGreaterThanOrEqual(92)
  })

  it('other calls: misses ≤ 4 %, false alarms ≤ 2 %', () => {
    const rated = rowsOf<ToolRow>('tools').map((row) => {
      const { tool, server, annotations, args, workspace = NOMINAL_PLACES.workspace } = row
      const ref = {
        name: tool,
        ...(server === undefined ? {} : { server }),
        ...(annotations === undefined ? {} : { annotations }),
      }
      const call = { tool: ref, args, source: server === undefined ? ('builtin' as const) : ('mcp' as const) }
      return { row, level: assessCall(call, { ...NOMINAL_PLACES, workspace }, crypto).risk.level }
    })
    const found = score(rated)
    print('tools', found)
    expect(found.misses).toBeLessThanOrEqual(4)
    expect(found.falseAlarms).toBeLessThanOrEqual(2)
  })

  it('intent: recall ≥ 95 %, false alarms ≤ 3 %', () => {
    const rows = rowsOf<{ readonly text: string; readonly confirmation_required: boolean }>('intent')
    const wanted = rows.filter((row) => row.confirmation_required)
    const others = rows.filter((row) => !row.confirmation_required)
    const asks = ({ text }: { readonly text: string }): boolean => readIntent(text).confirmation_required
    const found = {
      rows: rows.length,
      recall: share(wanted.filter(asks).length, wanted.length),
      falseAlarms: share(others.filter(asks).length, others.length),
    }
    print('intent', found)
    expect(found.recall).toBeGreaterThanOrEqual(95)
    expect(found.falseAlarms).toBeLessThanOrEqual(3)
  })
})
