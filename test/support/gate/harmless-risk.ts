import type { RiskReport } from '../../../packages/core/src/risk/report/report.ts'

/** A harmless risk report, with the given fields. */
export function calmRisk(fields: Partial<RiskReport> = {}): RiskReport {
  return {
    level: 'none',
    reversible: 'yes',
    magnitude: { reach: 'unknown' },
    target: null,
    reasons: [],
    paths: [],
    hosts: [],
    parts: [],
    understood: true,
    ...fields,
  }
}
