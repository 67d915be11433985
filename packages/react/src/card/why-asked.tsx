import { type HeldCallView, type RiskReason, type RuleRef, rulePlace } from '@countersign/core'
import type { ReactNode } from 'react'
import { CallEffect } from '../text/inline-code.tsx'
import { Region } from '../text/region.tsx'
import { RiskBadge } from '../text/risk-badge.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

const SHOWN = 8

/** The rule that requires approval with its location and reasons, then the reasons for the risk level. */
export function WhyAsked({ view }: { readonly view: HeldCallView }): ReactNode {
  const { rule, condition = null, reasons } = view.verdict
  const others = otherRules(view)
  return (
    <Region className="cs-why" label="Why this needs approval">
      <h3 className="cs-heading">Why this needs approval</h3>
      <p>
        <RulePlace rule={rule} />
        {condition !== null && (
          <>
            {' for '}
            <code className="cs-condition">
              <SafeTextView text={condition} />
            </code>
          </>
        )}
      </p>
      <ul className="cs-reasons">
        {reasons.slice(0, SHOWN).map((reason) => (
          <li key={reason}>
            <CallEffect text={reason} request={view.request} />
          </li>
        ))}
        <More left={reasons.length - SHOWN} />
      </ul>
      {others.length > 0 && (
        <p className="cs-dim">
          {' '}
          Also{' '}
          {others.slice(0, SHOWN).map((one, at) => (
            <span key={`${one.file}:${one.line}:${one.id}`}>
              {at > 0 && ', '}
              <RulePlace rule={one} />
            </span>
          ))}
          {others.length > SHOWN && `, and ${others.length - SHOWN} more in the details`}
        </p>
      )}
      <RiskReasons reasons={view.risk.reasons} request={view.request} />
    </Region>
  )
}

/** The other rules that contributed to the verdict. */
function otherRules({ verdict: { rule, contributors } }: HeldCallView): readonly RuleRef[] {
  return contributors.filter((one) => one.id !== rule.id || one.file !== rule.file || one.line !== rule.line)
}

function distinctReasons(reasons: readonly RiskReason[]): readonly RiskReason[] {
  return [...new Map(reasons.map((one) => [`${one.level} ${one.text}`, one])).values()]
}

/** All reasons and rules, for the details; null if the card shows all of them. */
export function fullReasons(view: HeldCallView): readonly string[] | null {
  const [reasons, rules, risks] = [view.verdict.reasons, otherRules(view), distinctReasons(view.risk.reasons)]
  if (Math.max(reasons.length, rules.length, risks.length) <= SHOWN) return null
  return [
    ...reasons,
    ...rules.map((rule) => `also ${rule.id} ${rulePlace(rule)}`),
    ...risks.map(({ level, text }) => `${level}: ${text}`),
  ]
}

function More({ left }: { readonly left: number }): ReactNode {
  return left <= 0 ? null : <li className="cs-dim">and {left} more in the details</li>
}

function RulePlace({ rule }: { readonly rule: RuleRef }): ReactNode {
  return (
    <>
      <span className="cs-rule">
        <SafeTextView text={rule.id} />
      </span>{' '}
      <code className="cs-place">
        <SafeTextView text={rulePlace(rule)} />
      </code>
    </>
  )
}

function RiskReasons({
  reasons,
  request,
}: {
  readonly reasons: readonly RiskReason[]
  readonly request: string
}): ReactNode {
  const distinct = distinctReasons(reasons)
  if (distinct.length === 0) return null
  return (
    <ul className="cs-risks">
      {distinct.slice(0, SHOWN).map((reason) => (
        <li key={`${reason.level} ${reason.text}`}>
          <RiskBadge level={reason.level} small />{' '}
          <span>
            <CallEffect text={reason.text} request={request} />
          </span>
        </li>
      ))}
      <More left={distinct.length - SHOWN} />
    </ul>
  )
}
