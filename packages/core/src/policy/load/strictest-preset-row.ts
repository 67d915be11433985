import type { PresetRow } from '../model/rule.ts'
import { type Supervision, strictest } from '../model/supervision.ts'

/** The row that is at least as strict as each of these, under a name of its own. */
export function strictestRow(preset: string, rows: readonly [PresetRow, ...PresetRow[]]): PresetRow {
  const level = (pick: (row: PresetRow) => Supervision) => strictest(rows.map(pick))
  return {
    preset,
    byRisk: {
      none: level((row) => row.byRisk.none),
      low: level((row) => row.byRisk.low),
      medium: level((row) => row.byRisk.medium),
      high: level((row) => row.byRisk.high),
      critical: level((row) => row.byRisk.critical),
    },
    undescribed: level((row) => row.undescribed),
    ignoresDeclarations: rows.every((row) => row.ignoresDeclarations),
  }
}
