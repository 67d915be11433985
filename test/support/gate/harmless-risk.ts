import type { RiskReport } from '../../../packages/core/src/risk/report/report.ts'

/** A report of something harmless, with the fields a test cares about put over it. */
export function calmRisk(fields: Partial<RiskReport> = {}): RiskReport {
  return {
    level: 'none',
    reversible: 'yes',
    magnitude: { reach: 'unknown' },
    target: null,
    reasons: [],
    paths: [],
    parts: [],
    understood: true,
    ...fields,
  }
}
