import { RISK_GLYPH, type RiskLevel } from '@countersign/core'
import type { ReactNode } from 'react'

/** The risk level as text, symbol, border and colour. */
export function RiskBadge({
  level,
  small = false,
}: {
  readonly level: RiskLevel
  readonly small?: boolean
}): ReactNode {
  return (
    <span className={`cs-risk cs-risk-${level}${small ? ' cs-risk-small' : ''}`}>
      <span aria-hidden="true">{RISK_GLYPH[level]} </span>
      {level}
    </span>
  )
}
