import {
  CallEffect,
  callStory,
  formatDateTime,
  formatElapsed,
  InlineCode,
  type JournalEntry,
  type Json,
  JsonView,
  type PastCall,
  RiskBadge,
  SafeTextView,
  toRiskLevel,
} from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { service } from '../api/service.ts'
import { placeOfRule, textOf, textsOf, valueAt } from './entry-value.ts'
import { UndoCall } from './undo-call.tsx'

/** A past call as a row that expands to its details. */
export function CallRow({
  call,
  nameOf,
  isOpened,
}: {
  readonly call: PastCall
  readonly nameOf: (approver: string) => string
  /** Whether the row starts expanded. */
  readonly isOpened: boolean
}): ReactNode {
  const [isOpen, setOpen] = useState(isOpened)
  const { decision } = call
  return (
    <details className="past" open={isOpened} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="past-head">
        <span className="past-when cs-dim">{formatDateTime(call.openedAt)}</span>
        <span className={`past-outcome outcome-${call.outcome ?? 'open'}`}>{call.outcome ?? call.state}</span>
        <span className="past-what">
          <InlineCode text={call.summary} />
          <span className="past-facts cs-dim">
            <RiskBadge level={toRiskLevel(call.risk)} small />{' '}
            <SafeTextView
              text={`${call.agent} · ${call.tool} · ${call.rule}${call.contain == null ? '' : ' · in the sandbox'}`}
            />
            {call.disagrees !== undefined && (
              <strong>
                <SafeTextView text={` · does not match the journal: ${call.disagrees.join(', ')}`} />
              </strong>
            )}
            {decision !== null && (
              <SafeTextView
                text={` · ${decision.kind === 'approve' ? 'approved' : 'rejected'} by ${nameOf(decision.approver)} ${surfaceLabel(decision.surface)} after ${formatElapsed(decision.at - call.openedAt)}`}
              />
            )}
            {decision?.reason != null && (
              <q>
                <SafeTextView text={decision.reason} />
              </q>
            )}
          </span>
        </span>
      </summary>
      {isOpen && <CallDetails call={call} nameOf={nameOf} />}
    </details>
  )
}

/** A past call in full, from the redacted journal. */
function CallDetails({
  call,
  nameOf,
}: {
  readonly call: PastCall
  readonly nameOf: (approver: string) => string
}): ReactNode {
  const details = useQuery({ queryKey: ['past', call.id, call.state], queryFn: () => service.pastCall(call.id) })
  if (details.error !== null) return <p className="past-details cs-bad">{details.error.message}</p>
  if (details.data === undefined) return <p className="past-details cs-dim">…</p>
  const { entries, more } = details.data
  const judged = entries.findLast(({ kind }) => kind === 'judged')
  const edited = entries.findLast(({ kind, edited: given }) => kind === 'decided' && given != null)?.['edited']
  return (
    <div className="past-details">
      {judged === undefined ? (
        <p className="cs-dim">The journal entries of this call are archived.</p>
      ) : (
        <>
          <JsonView value={(judged['args'] ?? null) as Json} label="Arguments" />
          {edited !== undefined && (
            <>
              <p>Edited by a person to:</p>
              <JsonView value={edited as Json} label="Edited arguments" />
            </>
          )}
        </>
      )}
      <UndoCall call={call.id} />
      <dl className="cs-fields">
        {judged !== undefined && <Judged judged={judged} call={call} />}
        <Fact name="decision">
          <SafeTextView text={decisionWords(call, nameOf)} />
          {call.decision?.reason != null && (
            <>
              {' '}
              <q>
                <SafeTextView text={call.decision.reason} />
              </q>
            </>
          )}
        </Fact>
        <Fact name="outcome">
          <SafeTextView text={call.outcome ?? call.state} />
          {call.closedAt !== null && <span className="cs-dim"> {formatDateTime(call.closedAt)}</span>}
        </Fact>
        <Fact name="steps">
          <ol className="past-story">
            {callStory(entries).map(({ at, kind, words, details: lines }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
              <li key={index} className="past-step">
                <SafeTextView text={words} /> <span className="cs-dim">{formatDateTime(at)}</span>
                {/* The rule, the reasons and the agent's words have fields of their own. */}
                {(kind === 'judged' ? [] : lines).map((line, nth) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
                  <span key={nth} className="past-line cs-dim">
                    <SafeTextView text={line} />
                  </span>
                ))}
              </li>
            ))}
          </ol>
          {more > 0 && <span className="past-step cs-dim">and {more.toLocaleString('en')} more in between</span>}
        </Fact>
        <Fact name="call ID">
          <code>
            <SafeTextView text={call.id} />
          </code>
        </Fact>
      </dl>
    </div>
  )
}

function Judged({ judged, call }: { readonly judged: JournalEntry; readonly call: PastCall }): ReactNode {
  const findings = (Array.isArray(judged['findings']) ? judged['findings'] : []).map(
    (one) => `${textOf(valueAt(one, 'checker'))} ${textOf(valueAt(one, 'status'))}: ${textOf(valueAt(one, 'message'))}`,
  )
  return (
    <>
      <Fact name="rule">
        <b>
          <SafeTextView text={call.rule} />
        </b>{' '}
        <code className="cs-dim">
          <SafeTextView text={placeOfRule(judged['rule']) ?? ''} />
        </code>{' '}
        <SafeTextView text={`sets ${call.supervision}`} />
        <Lines texts={textsOf(judged['because'])} of={judged} />
      </Fact>
      <Fact name="risk">
        <RiskBadge level={toRiskLevel(call.risk)} small />
        <Lines texts={textsOf(valueAt(judged, 'risk', 'reasons'))} of={judged} />
      </Fact>
      {findings.length > 0 && (
        <Fact name="checks">
          <Lines texts={findings} of={judged} />
        </Fact>
      )}
      <AgentWords name="agent said" text={textOf(judged['said'])} />
      <AgentWords name="agent thought" text={textOf(judged['reasoning'])} />
      <Fact name="requested">
        <SafeTextView text={`${call.tool} by ${call.agent}`} />{' '}
        <span className="cs-dim">{formatDateTime(call.openedAt)}</span>
        <span className="cs-dim">
          <SafeTextView text={` in ${textOf(judged['cwd'])}`} />
        </span>
      </Fact>
    </>
  )
}

/** SECURITY: A15 the agent's words, marked as its own. */
function AgentWords({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  if (text === '') return null
  return (
    <Fact name={name}>
      <q className="past-words">
        <SafeTextView text={text} />
      </q>
    </Fact>
  )
}

function decisionWords({ decision, openedAt }: PastCall, nameOf: (approver: string) => string): string {
  if (decision === null) return 'none'
  const what = decision.kind === 'approve' ? 'approved' : 'rejected'
  const seconds = Math.max(0, (decision.at - openedAt) / 1000).toFixed(1)
  return `${what} by ${nameOf(decision.approver)} ${surfaceLabel(decision.surface)}, ${formatDateTime(decision.at)}, after ${seconds} s`
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="cs-field">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Lines({ texts, of: judged }: { readonly texts: readonly string[]; readonly of: JournalEntry }): ReactNode {
  const asked = JSON.stringify([judged['args'], judged['tool'], judged['agent']])
  return texts.map((text, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two reasons may say the same
    <span key={at} className="past-line">
      <CallEffect text={text} request={asked} />
    </span>
  ))
}

/** The surface of a decision, in words. */
function surfaceLabel(surface: string): string {
  return `in the ${surface === 'web' ? 'inbox' : surface}`
}
