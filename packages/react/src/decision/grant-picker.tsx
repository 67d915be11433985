import {
  type AlwaysOffer,
  type Decision,
  type GrantOffer,
  type GrantScope,
  isLifetimeOffered,
  lifetimeBounds,
  lifetimeWords,
  MOST_OF_LIFETIME,
  maskText,
  type OfferedLifetime,
  type RulesAnswer,
  type RulesProposal,
  type WouldMatch,
} from '@countersign/core'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { CallEffect } from '../text/inline-code.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { answerTo, RuleProposal, useTyped } from './rule-proposal.tsx'

/** The grant part of a decision. */
export type GrantChoice = NonNullable<Decision['grant']>

/** What comes with an approval: a grant, or a rule that stays. */
export type Allowed =
  | { readonly grant: GrantChoice; readonly words: string }
  | { readonly rule: RulesAnswer; readonly words: string }

/** Reads what a rule made from the call would change. */
export type ProposeRule = (offer: AlwaysOffer) => Promise<RulesProposal>

/** Chooses scope and lifetime of a grant, or the rule for its scope. Nothing is preselected. */
export function GrantPicker({
  offers,
  request = null,
  wouldMatch,
  proposeRule,
  onUse,
  onCancel,
}: {
  readonly offers: readonly GrantOffer[]
  /** The request the offers belong to, for rendering names safely. */
  readonly request?: string | null
  readonly wouldMatch?: (scope: GrantScope) => Promise<WouldMatch>
  /** Without it, no rule is offered. */
  readonly proposeRule?: ProposeRule | undefined
  readonly onUse: (allowed: Allowed) => void
  readonly onCancel: () => void
}): ReactNode {
  const [scopeAt, setScope] = useState<number | null>(null)
  const [lifeAt, setLife] = useState<number | 'always' | null>(null)
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.focus(), [])
  const offer = scopeAt === null ? undefined : offers[scopeAt]
  const [count, setCount] = useState<number | null>(null)
  const lifetime = ofCount(typeof lifeAt === 'number' ? offer?.lifetimes[lifeAt] : undefined, count)
  const always = proposeRule === undefined ? undefined : offer?.always
  const rule = useProposal(lifeAt === 'always' ? always : undefined, proposeRule)
  const [typed, setTyped] = useTyped(rule?.proposal)
  const answer = rule?.proposal === undefined ? null : answerTo(rule.proposal, typed)
  return (
    <form
      ref={form}
      tabIndex={-1}
      className="cs-grant"
      aria-label="Approve and stop asking"
      onSubmit={(event) => {
        event.preventDefault()
        if (offer !== undefined && lifetime !== undefined)
          onUse({
            grant: grantOf(offer, lifetime),
            words: `${maskText(offer.words).value}, ${lifetimeWords(lifetime)}`,
          })
        else if (answer !== null && always !== undefined) onUse({ rule: answer, words: maskText(always.words).value })
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
                <input
                  type="radio"
                  name={`${name}-life`}
                  checked={lifeAt === at}
                  onChange={() => {
                    setLife(at)
                    setCount(null)
                  }}
                />
                {lifetimeWords(one)}
              </label>
            ))}
            {typeof lifeAt === 'number' && (
              <LengthField of={offer.lifetimes[lifeAt]} count={count} onChange={setCount} />
            )}
            {always !== undefined && (
              <label className="cs-choice">
                <input
                  type="radio"
                  name={`${name}-life`}
                  checked={lifeAt === 'always'}
                  onChange={() => setLife('always')}
                />
                always, as a rule
              </label>
            )}
          </fieldset>
          {lifeAt !== 'always' && <GrantCoverage scope={offer.scope} wouldMatch={wouldMatch} />}
          {always !== undefined && lifeAt === 'always' && (
            <>
              <p>
                A rule for{' '}
                {request === null ? (
                  <SafeTextView text={maskText(always.words).value} />
                ) : (
                  <CallEffect text={maskText(always.words).value} request={request} />
                )}
                :
              </p>
              {rule?.problem != null && (
                <p className="cs-bad" role="alert">
                  <SafeTextView text={rule.problem} />
                </p>
              )}
              {rule?.proposal !== undefined && (
                <RuleProposal proposal={rule.proposal} typed={typed} onType={setTyped} />
              )}
            </>
          )}
        </>
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="cs-button cs-primary" disabled={lifetime === undefined && answer === null}>
          Continue
        </button>
      </div>
    </form>
  )
}

/** The lifetime with another number of uses or minutes; undefined if that is out of bounds. */
function ofCount(offered: OfferedLifetime | undefined, count: number | null): OfferedLifetime | undefined {
  if (offered === undefined || count === null || offered.kind === 'session') return offered
  const given = offered.kind === 'uses' ? { ...offered, uses: count } : { ...offered, minutes: count }
  return isLifetimeOffered(given, [offered]) ? given : undefined
}

/** Another number of uses or minutes than the offered one. */
function LengthField({
  of,
  count,
  onChange,
}: {
  readonly of: OfferedLifetime | undefined
  readonly count: number | null
  readonly onChange: (count: number) => void
}): ReactNode {
  if (of === undefined || of.kind === 'session') return null
  const offered = of.kind === 'uses' ? of.uses : of.minutes
  return (
    <label className="cs-choice">
      <input
        type="number"
        min={1}
        max={MOST_OF_LIFETIME[of.kind]}
        value={count === null ? offered : Number.isNaN(count) ? '' : count}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      {of.kind} ({lifetimeBounds(of.kind)})
    </label>
  )
}

/** What the chosen rule would change, or why it cannot be added; undefined while loading. */
function useProposal(
  offer: AlwaysOffer | undefined,
  propose: ProposeRule | undefined,
): { readonly proposal?: RulesProposal; readonly problem?: string } | undefined {
  const [found, setFound] = useState<{
    readonly of: AlwaysOffer
    readonly proposal?: RulesProposal
    readonly problem?: string
  }>()
  const ask = useEffectEvent((wanted: AlwaysOffer) => propose?.(wanted))
  useEffect(() => {
    if (offer === undefined) return
    let isWanted = true
    ask(offer)?.then(
      (proposal) => isWanted && setFound({ of: offer, proposal }),
      (error: unknown) =>
        isWanted && setFound({ of: offer, problem: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [offer])
  return found?.of === offer ? found : undefined
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
