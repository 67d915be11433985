import { type Finding, safeJson, safeText } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { CallEffect } from '../text/inline-code.tsx'
import { OptionalReading } from '../text/reading-progress.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

const SIGN = { pass: '✔', warn: '!', fail: '✖', skip: '–' } as const
const ORDER = { fail: 0, warn: 1, pass: 2, skip: 3 } as const

/** Findings of the checkers, worst first. */
export function Findings({
  findings,
  request,
}: {
  readonly findings: readonly Finding[]
  /** The request, for rendering names safely. */
  readonly request: string
}): ReactNode {
  if (findings.length === 0) return null
  const sorted = [...findings].sort((a, b) => ORDER[a.status] - ORDER[b.status])
  return (
    <Region className="cs-findings" label="Checks">
      <h3 className="cs-heading">Checks</h3>
      <ul>
        {sorted.map((finding) => (
          <li key={finding.checker} className={`cs-finding cs-finding-${finding.status}`}>
            <FindingLine finding={finding} request={request} />
          </li>
        ))}
      </ul>
    </Region>
  )
}

function FindingLine({ finding, request }: { readonly finding: Finding; readonly request: string }): ReactNode {
  const { checker, status, message, details, suggestion, overridable } = finding
  const lines = useMemo(() => (details === undefined ? [] : safeJson(details)), [details])
  return (
    <>
      <span className="cs-finding-sign" aria-hidden="true">
        {SIGN[status]}
      </span>
      <span className="cs-hidden">{status}: </span>
      <span>
        <b>
          <SafeTextView text={checker} />
        </b>{' '}
        <CallEffect text={message} request={request} />
        {status === 'fail' && overridable && <em> Approving overrides this check. The override is recorded.</em>}
        {suggestion !== undefined && (
          <span className="cs-dim">
            {' '}
            <CallEffect text={suggestion} request={request} />
          </span>
        )}
        {lines.length > 0 && (
          <details className="cs-more">
            <summary>Details</summary>
            <OptionalReading>
              <CodeBlock lines={lines} label={`Details of ${safeText(checker)}`} />
            </OptionalReading>
          </details>
        )}
      </span>
    </>
  )
}
