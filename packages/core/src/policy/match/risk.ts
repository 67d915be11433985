import type { RiskLevel } from '../../risk/report/level.ts'
import { riskRank } from '../../risk/report/level.ts'
import type { Test } from './call-unit.ts'
import { NO, YES } from './three-valued-logic.ts'

/** Compiles a test on the unit's own level: a harmless part of a risky command is still harmless. */
export function compileRisk(test: { readonly at_least?: RiskLevel; readonly at_most?: RiskLevel }): Test {
  const least = test.at_least === undefined ? -1 : riskRank(test.at_least)
  const most = test.at_most === undefined ? Number.POSITIVE_INFINITY : riskRank(test.at_most)
  return (unit) => {
    const rank = riskRank(unit.level)
    return rank >= least && rank <= most ? YES : NO
  }
}
