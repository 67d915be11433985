import {
  CallContext,
  CallEffect,
  deadlineOf,
  EndOfCard,
  formatAgo,
  formatTime,
  type HeldCallView,
  maskedArguments,
  maskView,
  PreviewView,
  RegionGroup,
  RequestDetails,
  RevealSecrets,
  SafeTextView,
  sharedContext,
  TimeLeft,
  useServerNow,
  verifyView,
} from '@countersign/react'
import { type ReactNode, useMemo, useState } from 'react'

/** A call of a batch, with everything its card shows. */
export function BatchItem({
  view,
  first,
  place,
  isChosen,
  problem,
  toggle,
}: {
  readonly view: HeldCallView
  /** The first selected call; text identical to it is not repeated. */
  readonly first: HeldCallView | undefined
  /** `call 2 of 5`. */
  readonly place: string
  readonly isChosen: boolean
  /** Why the last attempt failed. */
  readonly problem: string | null
  /** Null while decisions are being sent. */
  readonly toggle: (() => void) | null
}): ReactNode {
  const held = verifyView(view)
  const [isRevealed, setRevealed] = useState(false)
  const masked = useMemo(() => (held.kind === 'opened' ? maskView(held.opened) : null), [held])
  const same = useMemo(
    () => (first === undefined || first.id === view.id ? [] : sharedContext(view, first)),
    [view, first],
  )
  if (held.kind === 'mismatch' || masked === null) return null
  const brief = maskedArguments(view)
  const shown = isRevealed ? held.opened : masked
  return (
    <div className={isChosen ? 'batch-item' : 'batch-item batch-left'}>
      <label className="cs-choice">
        <input type="checkbox" checked={isChosen} disabled={toggle === null} onChange={() => toggle?.()} />
        <b>
          <CallEffect text={shown.view.effect} request={shown.view.request} />
        </b>
        {brief !== '' && (
          <span className="batch-brief">
            <SafeTextView text={brief} />
          </span>
        )}
      </label>
      {problem !== null && (
        <p className="cs-note" role="alert">
          <SafeTextView text={problem} />
        </p>
      )}
      {isChosen ? (
        <RegionGroup of={place}>
          <Asked
            view={view}
            agent={shown.body.call.agent}
            cwd={shown.body.call.cwd}
            machine={shown.body.machine ?? null}
          />
          <RevealSecrets secrets={masked.secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
          <PreviewView opened={shown} />
          <CallContext opened={shown} same={same} />
          <RequestDetails opened={shown} raw={view.request} />
          <EndOfCard />
        </RegionGroup>
      ) : (
        <p className="cs-dim">Not included. It stays held.</p>
      )}
    </div>
  )
}

/** Agent, folder, age and deadline of a call. */
function Asked({
  view,
  agent,
  cwd,
  machine,
}: {
  readonly view: HeldCallView
  readonly agent: readonly string[]
  readonly cwd: string
  readonly machine: string | null
}): ReactNode {
  const now = useServerNow()
  const expiresAt = deadlineOf(view)
  return (
    <p className="batch-asked cs-dim">
      <span>
        asked by <SafeTextView text={agent.join(' › ')} /> {formatAgo(now - view.openedAt)}, in{' '}
        <SafeTextView text={machine === null ? cwd : `${cwd} on ${machine}`} />
      </span>
      <span>
        <TimeLeft expiresAt={expiresAt} now={now} /> left, expires at {formatTime(expiresAt)}
      </span>
    </p>
  )
}
