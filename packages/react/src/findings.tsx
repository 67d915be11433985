import { type Finding, safeJson, safeText } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from './code-block.tsx'
import { ReadAlready } from './reading.tsx'
import { Region } from './region.tsx'
import { Safe } from './safe.tsx'

const SIGN = { pass: '✔', warn: '!', fail: '✖', skip: '–' } as const
const ORDER = { fail: 0, warn: 1, pass: 2, skip: 3 } as const

/** What the checkers found, the worst first. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }): ReactNode {
  if (findings.length === 0) return null
  const sorted = [...findings].sort((a, b) => ORDER[a.status] - ORDER[b.status])
  return (
    <Region className="cs-findings" label="Checks">
      <h3 className="cs-heading">Checks</h3>
      <ul>
        {sorted.map((finding) => (
          <li key={finding.checker} className={`cs-finding cs-finding-${finding.status}`}>
            <FindingLine finding={finding} />
          </li>
        ))}
      </ul>
    </Region>
  )
}

function FindingLine({ finding }: { readonly finding: Finding }): ReactNode {
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
          <Safe text={checker} />
        </b>{' '}
        <Safe text={message} />
        {status === 'fail' && overridable && <em> Approving overrides this, and the override is recorded.</em>}
        {suggestion !== undefined && (
          <span className="cs-dim">
            {' '}
            <Safe text={suggestion} />
          </span>
        )}
        {lines.length > 0 && (
          <details className="cs-more">
            <summary>details</summary>
            <ReadAlready>
              <CodeBlock lines={lines} label={`Details of ${safeText(checker)}`} />
            </ReadAlready>
          </details>
        )}
      </span>
    </>
  )
}
