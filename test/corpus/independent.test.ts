/**
 * Rows by two labellers who had seen the reference, but neither the code nor the other corpora. Their scores are closer
 * to what a stranger would measure than those of rows written together with the code.
 */
import { rateNominal } from '@countersign/testing/corpus/nominal-rating'
import {
  type IntentRow,
  type Labelled,
  printScores,
  rateToolRow,
  rowsOf,
  scoreIntent,
  scoreRisk,
  type ToolRow,
} from '@countersign/testing/corpus/scores'
import { describe, expect, it } from 'vitest'

const fileOf = (name: string): URL => new URL(`independent/${name}.jsonl`, import.meta.url)

describe('rows of independent labellers', () => {
  it('shell commands: false alarms ≤ 1 %, misses ≤ 2 %, none critical rated none or low, ≥ 92 % defensible', () => {
    const rows = rowsOf<Labelled & { readonly command: string }>(fileOf('shell'))
    const found = scoreRisk(rows.map((row) => ({ row, level: rateNominal(row.command).level })))
    printScores('shell, labelled independently', found)
    expect(found.falseAlarms).toBeLessThanOrEqual(1)
    expect(found.misses).toBeLessThanOrEqual(2)
    expect(found.grave).toBe(0)
    expect(found.defensible).toBeGreaterThanOrEqual(92)
  })

  it('other calls: misses ≤ 4 %, false alarms ≤ 2 %', () => {
    const found = scoreRisk(rowsOf<ToolRow>(fileOf('tools')).map((row) => ({ row, level: rateToolRow(row) })))
    printScores('tools, labelled independently', found)
    expect(found.misses).toBeLessThanOrEqual(4)
    expect(found.falseAlarms).toBeLessThanOrEqual(2)
  })

  it('intent: recall ≥ 95 %, false alarms ≤ 3 %', () => {
    const found = scoreIntent(rowsOf<IntentRow>(fileOf('intent')))
    printScores('intent, labelled independently', found)
    expect(found.recall).toBeGreaterThanOrEqual(95)
    expect(found.falseAlarms).toBeLessThanOrEqual(3)
  })
})
