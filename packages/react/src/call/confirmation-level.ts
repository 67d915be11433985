import { type OpenedView, type RiskLevel, riskRank } from '@countersign/core'

/** How deliberate an approval must be: one act, two, or details, code and reason. */
export type Act = 'one' | 'two' | 'manual'

/** SECURITY: A5 from high on, one click is never enough. */
export function actFor(supervision: string, risk: RiskLevel): Act {
  if (supervision === 'manual') return 'manual'
  return riskRank(risk) >= riskRank('high') ? 'two' : 'one'
}

/** The act that approving this view takes. */
export function actOf({ body, view }: OpenedView): Act {
  return actFor(body.supervision, view.risk.level)
}

/** What must have been seen before approving. SECURITY: A14 */
export type MustSee = 'nothing' | 'picture' | 'everything'

/**
 * From medium on everything that would run must have been seen, what is folded opened to its end; from high on, and
 * under manual supervision, the rest of what is known of it too.
 */
export function mustSee(risk: RiskLevel, act: Act): MustSee {
  if (act === 'manual' || riskRank(risk) >= riskRank('high')) return 'everything'
  return risk === 'medium' ? 'picture' : 'nothing'
}
