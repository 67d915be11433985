import {
  type HeldCallView,
  type Json,
  type OpenedView,
  rightToLeftRuns,
  safeJson,
  safeLines,
  toolLabel,
} from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { formatDateTime } from '../text/format.ts'
import { OptionalReading } from '../text/reading-progress.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { fullReasons } from './why-asked.tsx'

interface Target {
  readonly given: string
  readonly real: string
  readonly type: string
  readonly content: string
}

/** Technical details of a request: identity, targets, digests and signed bytes. */
export function RequestDetails({ opened, raw }: { readonly opened: OpenedView; readonly raw: string }): ReactNode {
  const { view, body } = opened
  const { tool, args, session, agent, cwd } = body.call
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="cs-details" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Details</summary>
      {isOpen && (
        <OptionalReading>
          <dl className="cs-facts">
            <Fact name="tool">
              <SafeTextView text={`${toolLabel(tool)}, definition ${tool.definition.slice(0, 16)}`} />
            </Fact>
            <Fact name="agent">
              <SafeTextView
                text={`${agent.join(' › ')}${session === null ? ', no session' : `, session ${session}`}`}
              />
            </Fact>
            <Fact name="folder">
              <SafeTextView text={cwd} />
            </Fact>
            <Fact name="verdict">
              <SafeTextView
                text={`risk ${body.risk}, reversible: ${view.risk.reversible}, supervision ${body.supervision}`}
              />
            </Fact>
            <Why view={view} />
            <Fact name="expires">{formatDateTime(body.expiresAt)}</Fact>
            <Targets targets={targetsOf(body.targets)} />
            <Fact name="request digest">
              <code>{view.requestDigest}</code>
            </Fact>
            <Fact name="policy hash">
              <code>{body.policyHash}</code>
            </Fact>
            <RightToLeft text={JSON.stringify(args)} />
            <Fact name="arguments">
              <Arguments value={args} />
            </Fact>
            <Fact name="signed bytes">
              <SignedBytes text={raw} />
            </Fact>
          </dl>
        </OptionalReading>
      )}
    </details>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="cs-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Right-to-left letters with their code points. */
function RightToLeft({ text }: { readonly text: string }): ReactNode {
  const runs = useMemo(() => rightToLeftRuns(text), [text])
  if (runs.length === 0) return null
  return (
    <Fact name="right-to-left letters">
      <ul>
        {runs.map((run) => (
          <li key={run}>
            <SafeTextView text={run} />
          </li>
        ))}
      </ul>
    </Fact>
  )
}

/** All reasons and rules, if the card shows only the first ones. */
function Why({ view }: { readonly view: HeldCallView }): ReactNode {
  const all = useMemo(() => fullReasons(view), [view])
  if (all === null) return null
  return (
    <Fact name="all reasons">
      <ul>
        {all.map((words, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two reasons may be equal
          <li key={at}>
            <SafeTextView text={words} />
          </li>
        ))}
      </ul>
    </Fact>
  )
}

function Arguments({ value }: { readonly value: Json }): ReactNode {
  const lines = useMemo(() => safeJson(value), [value])
  return <CodeBlock lines={lines} label="Exact arguments" />
}

function SignedBytes({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const lines = useMemo(() => (isOpen ? safeLines(text) : []), [isOpen, text])
  if (isOpen) return <CodeBlock lines={lines} label="Signed bytes" />
  return (
    <button type="button" className="cs-quiet" onClick={() => setOpen(true)}>
      Show the signed bytes (includes secrets)
    </button>
  )
}

function Targets({ targets }: { readonly targets: readonly Target[] }): ReactNode {
  if (targets.length === 0) return null
  return (
    <Fact name="targets">
      <ul>
        {targets.map(({ given, real, type, content }) => (
          <li key={`${given} ${real}`}>
            <SafeTextView text={`${given === real ? given : `${given} → ${real}`}, ${type}, ${content.slice(0, 21)}`} />
          </li>
        ))}
      </ul>
    </Fact>
  )
}

/** Targets that the approval does not bind by content, so that changes to them go unnoticed. */
export function Unbound({ opened }: { readonly opened: OpenedView }): ReactNode {
  const names = targetsOf(opened.body.targets).filter((target) => target.content === 'unbound')
  if (names.length === 0) return null
  return (
    <p className="cs-unbound">
      Not bound to this approval: <SafeTextView text={names.map((target) => target.given).join(', ')} />. Changes before
      the call runs would go unnoticed.
    </p>
  )
}

function targetsOf(targets: Json): readonly Target[] {
  return Array.isArray(targets) ? (targets as unknown as readonly Target[]) : []
}
