/** From harmless to the worst. */
export const RISK_LEVELS = ['none', 'low', 'medium', 'high', 'critical'] as const

/** How bad it could get. */
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** The place of a level in `RISK_LEVELS`: a higher one is riskier. */
export function riskRank(level: RiskLevel): number {
  return RISK_LEVELS.indexOf(level)
}

export function highestRisk(levels: Iterable<RiskLevel>): RiskLevel {
  let top: RiskLevel = 'none'
  for (const level of levels) if (riskRank(level) > riskRank(top)) top = level
  return top
}
