import {
  agoWords,
  CoveredSecrets,
  clockWords,
  deadlineOf,
  Effect,
  EndOfBody,
  type HeldCallView,
  maskedBrief,
  maskView,
  openHeld,
  PreviewView,
  RegionsIn,
  RequestDetails,
  Safe,
  sameKnown,
  TimeLeft,
  useServerNow,
  WhatIsKnown,
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
  const held = openHeld(view)
  const [isRevealed, setRevealed] = useState(false)
  const masked = useMemo(() => (held.kind === 'opened' ? maskView(held.opened) : null), [held])
  const same = useMemo(() => (first === undefined || first.id === view.id ? [] : sameKnown(view, first)), [view, first])
  if (held.kind === 'mismatch' || masked === null) return null
  const brief = maskedBrief(view)
  const shown = isRevealed ? held.opened : masked
  return (
    <div className={isChosen ? 'batch-item' : 'batch-item batch-left'}>
      <label className="cs-choice">
        <input type="checkbox" checked={isChosen} disabled={toggle === null} onChange={() => toggle?.()} />
        <b>
          <Effect text={shown.view.effect} request={shown.view.request} />
        </b>
        {brief !== '' && (
          <span className="batch-brief">
            <Safe text={brief} />
          </span>
        )}
      </label>
      {problem !== null && (
        <p className="cs-note" role="alert">
          <Safe text={problem} />
        </p>
      )}
      {isChosen ? (
        <RegionsIn of={place}>
          <Asked view={view} agent={shown.body.call.agent} cwd={shown.body.call.cwd} />
          <CoveredSecrets secrets={masked.secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
          <PreviewView opened={shown} />
          <WhatIsKnown opened={shown} same={same} />
          <RequestDetails opened={shown} raw={view.request} />
          <EndOfBody />
        </RegionsIn>
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
        asked by <Safe text={agent.join(' › ')} /> {agoWords(now - view.openedAt)}, in <Safe text={cwd} />
      </span>
      <span>
        <TimeLeft expiresAt={expiresAt} now={now} /> left, refused at {clockWords(expiresAt)}
      </span>
    </p>
  )
}
