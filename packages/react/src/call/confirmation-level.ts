import { type OpenedView, type RiskLevel, riskRank } from '@countersign/core'

/** How deliberate an approval must be: one act, two, or details, code and reason. */
export type Confirmation = 'one' | 'two' | 'manual'

/** SECURITY: A5 from high on, one click is never enough. */
export function confirmationFor(supervision: string, risk: RiskLevel): Confirmation {
  if (supervision === 'manual') return 'manual'
  return riskRank(risk) >= riskRank('high') ? 'two' : 'one'
}

/** The act that approving this view takes. */
export function confirmationOf({ body, view }: OpenedView): Confirmation {
  return confirmationFor(body.supervision, view.risk.level)
}

/** What must have been seen before approving. SECURITY: A14 */
export type RequiredReading = 'nothing' | 'picture' | 'everything'

/**
 * From medium on everything that would run must have been seen, what is folded opened to its end; from high on, and
 * under manual supervision, the rest of what is known of it too.
 */
export function requiredReading(risk: RiskLevel, act: Confirmation): RequiredReading {
  if (act === 'manual' || riskRank(risk) >= riskRank('high')) return 'everything'
  return risk === 'medium' ? 'picture' : 'nothing'
}
