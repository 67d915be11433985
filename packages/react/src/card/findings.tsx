import { type Finding, safeJson, safeText } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { CallEffect } from '../text/inline-code.tsx'
import { OptionalReading } from '../text/reading-progress.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

const SIGN = { pass: '✔', warn: '!', fail: '✖', skip: '–' } as const
const ORDER = { fail: 0, warn: 1, pass: 2, skip: 3 } as const

/** Findings of the checkers, worst first. Several passed checks share one line that opens. */
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
  const passed = sorted.filter(({ status }) => status === 'pass')
  const listed = passed.length < 2 ? sorted : sorted.filter(({ status }) => status !== 'pass')
  return (
    <Region className="cs-findings" label="Checks">
      <h3 className="cs-heading">Checks</h3>
      <ul>
        {listed.map((finding) => (
          <FindingLine key={finding.checker} finding={finding} request={request} />
        ))}
        {passed.length > 1 && (
          <Line status="pass">
            <details className="cs-passed">
              <summary>
                <b>
                  <SafeTextView text={passed.map(({ checker }) => checker).join(', ')} />
                </b>
              </summary>
              <ul>
                {passed.map((finding) => (
                  <FindingLine key={finding.checker} finding={finding} request={request} />
                ))}
              </ul>
            </details>
          </Line>
        )}
      </ul>
    </Region>
  )
}

function Line({ status, children }: { readonly status: Finding['status']; readonly children: ReactNode }): ReactNode {
  return (
    <li className={`cs-finding cs-finding-${status}`}>
      <span className="cs-finding-sign" aria-hidden="true">
        {SIGN[status]}
      </span>
      <span className="cs-hidden">{status}: </span>
      {children}
    </li>
  )
}

function FindingLine({ finding, request }: { readonly finding: Finding; readonly request: string }): ReactNode {
  const { checker, status, message, details, suggestion, overridable } = finding
  const lines = useMemo(() => (details === undefined ? [] : safeJson(details)), [details])
  return (
    <Line status={status}>
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
    </Line>
  )
}
