import type { RiskLevel } from '../../risk/report/level.ts'

const ORDER: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical']

export function rank(level: RiskLevel): number {
  return ORDER.indexOf(level)
}

export function atLeast(level: RiskLevel, floor: RiskLevel): RiskLevel {
  return rank(level) < rank(floor) ? floor : level
}

export function atMost(level: RiskLevel, ceiling: RiskLevel): RiskLevel {
  return rank(level) > rank(ceiling) ? ceiling : level
}

export function oneHigher(level: RiskLevel): RiskLevel {
  return ORDER[rank(level) + 1] ?? 'critical'
}
