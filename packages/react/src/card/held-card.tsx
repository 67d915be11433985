import {
  cardVerbs,
  containmentText,
  type Decision,
  type GrantScope,
  type HeldCallView,
  type Json,
  maskView,
  type OpenedView,
  type PastCall,
  permissionQuestion,
  type RulesAnswer,
  toolLabel,
  type WouldMatch,
} from '@countersign/core'
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react'
import { confirmationOf, requiredReading } from '../call/confirmation-level.ts'
import { verifyView } from '../call/verified-view.ts'
import { type DecisionActions, DecisionBar } from '../decision/bar.tsx'
import type { ProposeRule } from '../decision/grant-picker.tsx'
import { useInitialFocus } from '../decision/use-focus.ts'
import { PreviewView } from '../preview/preview-view.tsx'
import { useServerNow } from '../source/server-clock.ts'
import { formatAgo } from '../text/format.ts'
import { CallEffect, InlineCode } from '../text/inline-code.tsx'
import { EndOfCard, ReadingProvider } from '../text/reading-progress.tsx'
import { Region } from '../text/region.tsx'
import { RiskBadge } from '../text/risk-badge.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { CallContext } from './call-context.tsx'
import { Countdown } from './countdown.tsx'
import { QuestionTitle, QuestionView } from './question-view.tsx'
import { RequestDetails } from './request-details.tsx'
import { RevealSecrets } from './reveal-secrets.tsx'

/** Props of `HeldCard`. */
export interface HeldCardProps {
  readonly view: HeldCallView
  /** Why nothing may be decided now, in words; null when it may. */
  readonly blocked: string | null
  /** `rule` is to be signed and added once the approval is accepted. */
  readonly onDecide: (decision: Decision, rule?: RulesAnswer) => Promise<unknown>
  /** Reads what a rule would change; without it, no rule is offered. */
  readonly proposeRule?: ProposeRule
  readonly wouldMatch?: (scope: GrantScope) => Promise<WouldMatch>
  /** Loads the tool definition, whose schema shapes the edit form. */
  readonly readDefinition?: () => Promise<Json | null>
  readonly past?: readonly PastCall[]
  readonly actions?: Ref<DecisionActions>
  /** Takes the focus when opened: the safe button from high risk on, else the heading. */
  readonly takesFocus?: boolean
}

/** A held call in full: preview, findings, reasons, claims and the decision bar. */
export function HeldCard(props: HeldCardProps): ReactNode {
  const held = verifyView(props.view)
  if (held.kind === 'mismatch')
    return (
      <article className="cs-card" aria-label="Invalid request">
        <p className="cs-notes cs-notes-bad">
          <SafeTextView text={held.message} />
        </p>
      </article>
    )
  return (
    <ReadingProvider key={held.opened.view.requestDigest}>
      <Card {...props} opened={held.opened} />
    </ReadingProvider>
  )
}

function Card({
  opened,
  blocked,
  onDecide,
  wouldMatch,
  proposeRule,
  readDefinition,
  past,
  actions,
  takesFocus = false,
}: HeldCardProps & { readonly opened: OpenedView }): ReactNode {
  const [isRevealed, setRevealed] = useState(false)
  const masked = useMemo(() => maskView(opened), [opened])
  const shown = isRevealed ? opened : masked
  const { view, body } = shown
  const heading = useRef<HTMLHeadingElement>(null)
  const isGrave = requiredReading(view.risk.level, confirmationOf(opened)) === 'everything'
  useInitialFocus(heading, takesFocus && !isGrave)
  const place = containmentText(body.contain)
  const question = permissionQuestion(shown)
  const quoted = view.preview.kind === 'command' || view.preview.kind === 'query'
  return (
    <article className={`cs-card cs-edge-${view.risk.level}`} aria-label="Held call">
      <div className="cs-body">
        <header className="cs-card-head">
          <RiskBadge level={view.risk.level} />
          {body.supervision === 'manual' && <span className="cs-tag">manual</span>}
          <span className="cs-tool">
            <SafeTextView text={toolLabel(body.call.tool)} />
          </span>
          <AskedBy agent={body.call.agent} openedAt={view.openedAt} />
        </header>
        <h2 ref={heading} tabIndex={-1} className={quoted ? 'cs-effect cs-effect-quiet' : 'cs-effect'}>
          {question !== null ? (
            <QuestionTitle question={question} />
          ) : quoted ? (
            effectWithout(view.preview.kind)
          ) : (
            <CallEffect text={view.effect} request={view.request} />
          )}
        </h2>
        <p className="cs-cwd" hidden={question !== null}>
          in <SafeTextView text={body.call.cwd} />
          {body.machine !== undefined && (
            <>
              {' on '}
              <SafeTextView text={body.machine} />
            </>
          )}
          {place !== null && (
            <>
              {' · '}
              <SafeTextView text={place} />
            </>
          )}
        </p>
        <Countdown openedAt={view.openedAt} expiresAt={body.expiresAt} />
        <RevealSecrets secrets={masked.secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
        {question === null ? <PreviewView opened={shown} /> : <QuestionView question={question} />}
        <CallContext opened={shown} same={question === null ? [] : ['tool', 'agent']} quiet />
        <RequestDetails opened={shown} raw={opened.view.request} />
        <SimilarDecisions past={past ?? []} />
        <EndOfCard />
      </div>
      <DecisionBar
        opened={opened}
        blocked={blocked}
        onDecide={onDecide}
        labels={cardVerbs(opened)}
        takesFocus={takesFocus && isGrave}
        {...(wouldMatch ? { wouldMatch } : {})}
        {...(proposeRule ? { proposeRule } : {})}
        {...(readDefinition ? { readDefinition } : {})}
        {...(actions ? { actions } : {})}
      />
    </article>
  )
}

/** The heading for a command or query, which is shown in full right below. */
function effectWithout(kind: 'command' | 'query' | string): string {
  return kind === 'command' ? 'Runs this command' : 'Sends this query'
}

function AskedBy({ agent, openedAt }: { readonly agent: readonly string[]; readonly openedAt: number }): ReactNode {
  const now = useServerNow(5_000)
  return (
    <span className="cs-asked cs-dim">
      asked by <SafeTextView text={agent.join(' › ')} /> {formatAgo(now - openedAt)}
    </span>
  )
}

const SHOWN = 4

/** Earlier decisions on calls like this one. */
export function SimilarDecisions({ past }: { readonly past: readonly PastCall[] }): ReactNode {
  const now = useServerNow(30_000)
  const asked = past.filter((one) => one.decision !== null || one.outcome === 'expired')
  if (asked.length === 0) return null
  const count = (kind: 'approve' | 'reject'): number => asked.filter((one) => one.decision?.kind === kind).length
  const expired = asked.filter((one) => one.outcome === 'expired').length
  const words = [
    [count('approve'), 'approved'],
    [count('reject'), 'rejected'],
    [expired, 'expired'],
  ].flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]))
  return (
    <Region className="cs-similar" label="Similar decisions">
      <h3 className="cs-heading">Previous decisions</h3>
      <p>
        {asked.length === 1 ? 'The last call like this one' : `The last ${asked.length} calls like this one`}:{' '}
        {words.join(', ')}.
      </p>
      <ul>
        {asked.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <span className={one.decision?.kind === 'approve' ? 'cs-yes' : 'cs-no-word'}>
              {one.decision === null ? 'expired' : one.decision.kind === 'approve' ? 'approved' : 'rejected'}
            </span>{' '}
            <span className="cs-dim">{formatAgo(now - (one.decision?.at ?? one.openedAt))}</span>{' '}
            <InlineCode text={one.summary} />
            {one.decision?.reason != null && (
              <q className="cs-dim">
                <SafeTextView text={one.decision.reason} />
              </q>
            )}
          </li>
        ))}
      </ul>
    </Region>
  )
}
