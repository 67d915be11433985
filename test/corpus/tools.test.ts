import { readdirSync } from 'node:fs'
import { isAlarm, rateToolRow, rowsOf, type ToolRow } from '@countersign/testing/corpus/scores'
import { describe, expect, it } from 'vitest'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'

/** All files but `review-findings` were labelled before they were first rated. */
const FOLDER = new URL('tools/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
const rows = FILES.flatMap((name) => rowsOf<ToolRow>(new URL(name, FOLDER)))

const shown = ({ tool, server, args, level }: ToolRow, rated: RiskLevel): string =>
  `${level} rated ${rated}: ${server ?? '-'}/${tool} ${JSON.stringify(args).slice(0, 100)}`

describe('the corpus of tool calls', () => {
  const rated = rows.map((row) => ({ row, level: rateToolRow(row) }))
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
