import {
  type Decision,
  type GrantOffer,
  type GrantScope,
  lifetimeWords,
  maskText,
  type OfferedLifetime,
  type WouldMatch,
} from '@countersign/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CallEffect } from '../text/inline-code.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

/** The grant part of a decision. */
export type GrantChoice = NonNullable<Decision['grant']>

/** Chooses scope and lifetime of a grant. Nothing is preselected. */
export function GrantPicker({
  offers,
  request = null,
  wouldMatch,
  onUse,
  onCancel,
}: {
  readonly offers: readonly GrantOffer[]
  /** The request the offers belong to, for rendering names safely. */
  readonly request?: string | null
  readonly wouldMatch?: (scope: GrantScope) => Promise<WouldMatch>
  readonly onUse: (grant: GrantChoice, words: string) => void
  readonly onCancel: () => void
}): ReactNode {
  const [scopeAt, setScope] = useState<number | null>(null)
  const [lifeAt, setLife] = useState<number | null>(null)
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.focus(), [])
  const offer = scopeAt === null ? undefined : offers[scopeAt]
  const lifetime = lifeAt === null ? undefined : offer?.lifetimes[lifeAt]
  return (
    <form
      ref={form}
      tabIndex={-1}
      className="cs-grant"
      aria-label="Approve and stop asking"
      onSubmit={(event) => {
        event.preventDefault()
        if (offer !== undefined && lifetime !== undefined)
          onUse(grantOf(offer, lifetime), `${maskText(offer.words).value}, ${lifetimeWords(lifetime)}`)
      }}
    >
      <h3 className="cs-heading">Approve, and stop asking for</h3>
      <fieldset className="cs-choices">
        <legend className="cs-hidden">Scope</legend>
        {offers.map((one, at) => (
          <label key={one.words} className="cs-choice">
            <input
              type="radio"
              name={`${name}-scope`}
              checked={scopeAt === at}
              onChange={() => {
                setScope(at)
                setLife(null)
              }}
            />
            <span>
              {request === null ? (
                <SafeTextView text={maskText(one.words).value} />
              ) : (
                <CallEffect text={maskText(one.words).value} request={request} />
              )}
            </span>
          </label>
        ))}
      </fieldset>
      {offer !== undefined && (
        <>
          <fieldset className="cs-choices cs-choices-row">
            <legend className="cs-hidden">Duration</legend>
            {offer.lifetimes.map((one, at) => (
              <label key={lifetimeWords(one)} className="cs-choice">
                <input type="radio" name={`${name}-life`} checked={lifeAt === at} onChange={() => setLife(at)} />
                {lifetimeWords(one)}
              </label>
            ))}
          </fieldset>
          <GrantCoverage scope={offer.scope} wouldMatch={wouldMatch} />
        </>
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="cs-button cs-primary" disabled={lifetime === undefined}>
          Continue
        </button>
      </div>
    </form>
  )
}

function grantOf({ scope, bounds }: GrantOffer, lifetime: OfferedLifetime): GrantChoice {
  return bounds === undefined ? { scope, lifetime } : { scope, lifetime, bounds }
}

/** Tells how many past calls a grant of this scope would have covered, if known. */
export function GrantCoverage({
  scope,
  wouldMatch,
}: {
  readonly scope: GrantScope
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
}): ReactNode {
  const [found, setFound] = useState<WouldMatch | null>(null)
  useEffect(() => {
    let isWanted = true
    setFound(null)
    wouldMatch?.(scope).then(
      (answer) => isWanted && setFound(answer),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [scope, wouldMatch])
  if (found === null) return null
  return (
    <div role="status">
      <p className={found.high > 0 ? 'cs-matched cs-bad' : 'cs-matched'}>
        Would have covered {found.matched} of your last {found.of} calls
        {found.high > 0 ? `, ${found.high} of them high or critical` : ''}.
      </p>
      <CoveredExamples examples={found.examples} nearMiss={found.nearMiss} />
    </div>
  )
}

/** Past calls that a grant would have covered, and one that it would not. */
function CoveredExamples({ examples, nearMiss }: Pick<WouldMatch, 'examples' | 'nearMiss'>): ReactNode {
  if (examples.length === 0 && nearMiss === null) return null
  return (
    <ul className="cs-covered">
      {examples.map((one) => (
        <li key={one}>
          <span className="cs-dim">Covered: </span>
          <code>
            <SafeTextView text={maskText(one).value} />
          </code>
        </li>
      ))}
      {nearMiss !== null && (
        <li>
          <span className="cs-dim">Not covered: </span>
          <code>
            <SafeTextView text={maskText(nearMiss).value} />
          </code>
        </li>
      )}
    </ul>
  )
}
