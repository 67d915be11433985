import type { RiskLevel } from '../risk/report/level.ts'

/** A statement of `sql.yaml` whose level doesn't depend on what follows it. */
export interface StatementRow {
  readonly level: RiskLevel
  readonly effect: string
}
