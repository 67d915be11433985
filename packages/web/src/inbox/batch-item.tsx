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

/** One of several calls that are decided together: everything its card would say, closer set. */
export function BatchItem({
  view,
  first,
  place,
  isChosen,
  problem,
  toggle,
}: {
  readonly view: HeldCallView
  /** The first of them that is shown: what both say stands there. */
  readonly first: HeldCallView | undefined
  /** `call 2 of 5`. */
  readonly place: string
  readonly isChosen: boolean
  /** What became of the last try; null when there was none. */
  readonly problem: string | null
  /** Null while a decision is on its way. */
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
  const shown = isRevealed ? held.opened : masked.opened
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
          <Asked view={view} agent={shown.body.call.agent} cwd={shown.body.call.cwd} />
          <RevealSecrets secrets={masked.secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
          <PreviewView opened={shown} />
          <CallContext opened={shown} same={same} />
          <RequestDetails opened={shown} raw={view.request} />
          <EndOfCard />
        </RegionGroup>
      ) : (
        <p className="cs-dim">Left out: it stays held.</p>
      )}
    </div>
  )
}

/** Who asks, where, since when, and until when. */
function Asked({
  view,
  agent,
  cwd,
}: {
  readonly view: HeldCallView
  readonly agent: readonly string[]
  readonly cwd: string
}): ReactNode {
  const now = useServerNow()
  const expiresAt = deadlineOf(view)
  return (
    <p className="batch-asked cs-dim">
      <span>
        asked by <SafeTextView text={agent.join(' › ')} /> {formatAgo(now - view.openedAt)}, in{' '}
        <SafeTextView text={cwd} />
      </span>
      <span>
        <TimeLeft expiresAt={expiresAt} now={now} /> left, refused at {formatTime(expiresAt)}
      </span>
    </p>
  )
}
