import { RISK_LEVELS, type RiskLevel } from '@countersign/core'

/** A level word from data, as the closed type; what is unknown counts as the worst. */
export function levelOf(word: string): RiskLevel {
  return RISK_LEVELS.find((level) => level === word) ?? 'critical'
}
