import type { HeldCallView, RiskReason, RuleRef } from '@countersign/core'
import type { ReactNode } from 'react'
import { RiskBadge } from './risk-badge.tsx'
import { Safe } from './safe.tsx'

const SHOWN = 8

/** Which rule asked, where it is written, and why it was not less; then why the risk is what it is. */
export function WhyAsked({ view }: { readonly view: HeldCallView }): ReactNode {
  const { rule, reasons, contributors } = view.verdict
  const others = contributors.filter((one) => one.id !== rule.id || one.file !== rule.file || one.line !== rule.line)
  return (
    <section className="cs-why" aria-label="Why it was asked">
      <h3 className="cs-heading">Why it was asked</h3>
      <p>
        <RulePlace rule={rule} />
      </p>
      <ul className="cs-reasons">
        {reasons.slice(0, SHOWN).map((reason) => (
          <li key={reason}>
            <Safe text={reason} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p className="cs-dim">
          also{' '}
          {others.slice(0, SHOWN).map((one, at) => (
            <span key={`${one.file}:${one.line}:${one.id}`}>
              {at > 0 && ', '}
              <RulePlace rule={one} />
            </span>
          ))}
        </p>
      )}
      <RiskReasons reasons={view.risk.reasons} />
    </section>
  )
}

function RulePlace({ rule }: { readonly rule: RuleRef }): ReactNode {
  return (
    <>
      <span className="cs-rule">
        <Safe text={rule.id} />
      </span>{' '}
      <code className="cs-place">
        <Safe text={`${rule.file}:${rule.line}`} />
      </code>
    </>
  )
}

function RiskReasons({ reasons }: { readonly reasons: readonly RiskReason[] }): ReactNode {
  const told = [...new Map(reasons.map((one) => [`${one.level} ${one.text}`, one])).values()]
  if (told.length === 0) return null
  return (
    <ul className="cs-risks">
      {told.slice(0, SHOWN).map((reason) => (
        <li key={`${reason.level} ${reason.text}`}>
          <RiskBadge level={reason.level} small /> <Safe text={reason.text} />
        </li>
      ))}
      {told.length > SHOWN && <li className="cs-dim">and {told.length - SHOWN} more in the details</li>}
    </ul>
  )
}
