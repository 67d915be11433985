/** From harmless to worst. */
export const RISK_LEVELS = ['none', 'low', 'medium', 'high', 'critical'] as const

/** How bad a call could get. */
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** The position of a level in `RISK_LEVELS`. A switch, because this is called very often. */
export function riskRank(level: RiskLevel): number {
  switch (level) {
    case 'none':
      return 0
    case 'low':
      return 1
    case 'medium':
      return 2
    case 'high':
      return 3
    case 'critical':
      return 4
  }
}

/** The symbol beside each level, so that risk is not conveyed by color alone. */
export const RISK_GLYPH: Readonly<Record<RiskLevel, string>> = {
  none: '·',
  low: '▪',
  medium: '▲',
  high: '▲▲',
  critical: '■■■',
}

/** Parses a risk level; an unknown one is critical. */
export function toRiskLevel(text: string): RiskLevel {
  return RISK_LEVELS.find((level) => level === text) ?? 'critical'
}

export function highestRisk(levels: Iterable<RiskLevel>): RiskLevel {
  let top: RiskLevel = 'none'
  for (const level of levels) if (riskRank(level) > riskRank(top)) top = level
  return top
}
