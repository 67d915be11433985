import { type OpenedView, type RiskLevel, riskRank } from '@countersign/core'

/** What it takes to approve: one press, two presses, or the details, a code and a reason. */
export type Confirmation = 'one' | 'two' | 'manual'

/** SECURITY: A5 from high risk on, one press is never enough. */
export function confirmationFor(supervision: string, risk: RiskLevel): Confirmation {
  if (supervision === 'manual') return 'manual'
  return riskRank(risk) >= riskRank('high') ? 'two' : 'one'
}

/** What it takes to approve this view. */
export function confirmationOf({ body, view }: OpenedView): Confirmation {
  return confirmationFor(body.supervision, view.risk.level)
}

/** What must have been on screen before a call can be approved. SECURITY: A14 */
export type RequiredReading = 'nothing' | 'secrets' | 'preview' | 'everything'

/**
 * From medium risk on, the whole preview with its folds expanded and its secrets revealed; from high risk on, and under
 * manual supervision, the whole card. If the risk is unknown, the secrets.
 */
export function requiredReading(risk: RiskLevel | null, act: Confirmation): RequiredReading {
  if (risk === null) return 'secrets'
  if (act === 'manual' || riskRank(risk) >= riskRank('high')) return 'everything'
  return risk === 'medium' ? 'preview' : 'nothing'
}
