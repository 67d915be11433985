import {
  type DecisionActions,
  type HeldCall,
  type HeldCallView,
  HeldCard,
  isFull,
  UnsentDrafts,
  useFullCall,
} from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { service } from '../api/service.ts'
import { ConnectionStatus } from '../approvals/connection-status.tsx'
import { useDesk } from '../approvals/context.ts'
import { BatchPane } from '../inbox/batch-pane.tsx'
import { batchesOf } from '../inbox/batches.ts'
import { HeldList } from '../inbox/held-list.tsx'
import { HeldLoading } from '../inbox/held-loading.tsx'
import { LinkedPage } from '../inbox/linked-page.tsx'
import { disconnectedText, heldHeading, ListHeader } from '../inbox/list-header.tsx'
import { useQueue, useQueueChoice } from '../inbox/queue-filter.ts'
import { QueueFilterForm } from '../inbox/queue-filter-form.tsx'
import { Notices, ReceiptPane, Receipts } from '../inbox/receipts.tsx'
import { PausedShortcutsNote } from '../keyboard/paused-shortcuts.tsx'
import { useShortcuts } from '../keyboard/use-shortcuts.ts'
import { addRule } from '../rules/apply-rule.ts'
import { RuleOutcomeNote } from '../rules/outcome-note.tsx'
import { PauseButton } from '../rules/pause.tsx'
import { useOverlays } from '../shell/navigation.ts'

/** The list of held calls and the open call, side by side or, on a phone, one at a time. */
export function InboxPage({ id, batch }: { readonly id?: string; readonly batch?: string }): ReactNode {
  const { held, closed, notices, link } = useDesk()
  const [, go] = useLocation()
  const { current: overlay, open } = useOverlays()
  const actions = useRef<DecisionActions>(null)
  const batches = useMemo(() => batchesOf(held), [held])
  const chosen = batch === undefined ? undefined : batches.find((one) => one.id === batch)
  const [kept, setKept] = useState(chosen)
  const shownBatch = batch === undefined ? undefined : kept?.id === batch ? kept : chosen
  if (shownBatch !== kept) setKept(shownBatch)
  const [isStill, setStill] = useState(false)
  const [choice, setChoice] = useQueueChoice()
  const queue = useQueue(held, choice)
  const search = useRef<HTMLInputElement>(null)

  const selected = id ?? null
  const order = [...queue.shown, ...closed.map((one) => one.view)]
  function move(step: 1 | -1): void {
    const at = order.findIndex((view) => view.id === selected)
    const isClosed = at >= queue.shown.length
    // From a receipt, J goes to the first held call.
    const next = selected === null || at < 0 || isClosed ? queue.shown[0] : order[at + step]
    if (next !== undefined) go(`/held/${encodeURIComponent(next.id)}`)
  }
  // SECURITY: A5 keys meant for an overlay that is still loading decide nothing.
  useShortcuts(
    overlay !== null
      ? {}
      : {
          escape: () => {
            if (actions.current?.back() !== true) go('/')
          },
          '/': () => search.current?.focus(),
          j: () => move(1),
          k: () => move(-1),
          a: () => actions.current?.approve(),
          r: () => actions.current?.reject(),
          e: () => actions.current?.edit(),
        },
  )
  const isDetail = selected !== null || batch !== undefined
  return (
    <div className={isDetail ? 'inbox inbox-detail' : 'inbox'}>
      <h1 className="cs-hidden">Inbox</h1>
      <div className="inbox-list">
        <h2 className="list-title">
          <span className="list-count">{heldHeading(held.length, link)}</span>
          <PauseButton />
          <button type="button" className="cs-quiet wide-only" onClick={() => open('help')}>
            Shortcuts <span className="cs-key">?</span>
          </button>
        </h2>
        {!isDetail && <LinkedPage />}
        <ListHeader batches={batches} chosen={batch} isStill={isStill} />
        {held.length > 0 && <QueueFilterForm queue={queue} choice={choice} onChoice={setChoice} search={search} />}
        {queue.shown.length > 0 && <HeldList held={queue.shown} selected={selected} onStill={setStill} />}
        <RuleOutcomeNote />
        <Receipts closed={closed} selected={selected} />
        <Notices notices={notices} />
        {link !== 'live' && (
          <p className="list-empty cs-dim" role="status">
            {disconnectedText(link)}
          </p>
        )}
        {held.length === 0 && closed.length === 0 && link === 'live' && (
          <p className="list-empty cs-dim">Calls that need your approval appear here.</p>
        )}
      </div>
      <div className="inbox-pane">
        {isDetail && (
          <div className="pane-top">
            <Link href="/" className="back">
              ← All held calls
            </Link>
            <ConnectionStatus link={link} place="pane-link" />
          </div>
        )}
        <PausedShortcutsNote />
        {shownBatch !== undefined ? (
          <BatchPane
            key={shownBatch.views.map((one) => one.requestDigest).join()}
            batch={shownBatch}
            next={chosen === undefined ? null : { count: chosen.views.length, go: () => setKept(chosen) }}
            actions={actions}
          />
        ) : (
          <Detail id={selected} actions={actions} />
        )}
      </div>
    </div>
  )
}

function Detail({
  id,
  actions,
}: {
  readonly id: string | null
  readonly actions: React.RefObject<DecisionActions | null>
}): ReactNode {
  const { held, closed, link } = useDesk()
  if (id === null)
    return (
      <div className="pane-empty">
        {held.length > 0 ? (
          <p>
            Select a call or press <kbd>J</kbd>.
          </p>
        ) : (
          <p>{disconnectedText(link) ?? 'All clear.'}</p>
        )}
      </div>
    )
  const view = held.find((one) => one.id === id)
  if (view !== undefined) return <Held key={view.requestDigest} call={view} actions={actions} />
  const done = closed.find((one) => one.view.id === id)
  if (done !== undefined)
    return (
      <ReceiptPane
        key={id}
        closed={done}
        next={held[0] === undefined ? null : { count: held.length, id: held[0].id }}
      />
    )
  if (link !== 'live')
    return (
      <div className="pane-empty">
        <p>{disconnectedText(link)}</p>
      </div>
    )
  return (
    <div className="pane-empty">
      <p>
        This call is no longer held. <Link href={`/history?call=${encodeURIComponent(id)}`}>View it in History</Link>.
      </p>
    </div>
  )
}

function Held({
  call,
  actions,
}: {
  readonly call: HeldCall
  readonly actions: React.RefObject<DecisionActions | null>
}): ReactNode {
  const { view, problem, again } = useFullCall(call, useDesk().load)
  if (view !== null)
    return (
      <>
        <UnsentDrafts held={view.id} asked={view.requestDigest} />
        <Whole view={view} actions={actions} />
      </>
    )
  return isFull(call) ? null : <HeldLoading call={call} problem={problem} again={again} />
}

function Whole({
  view,
  actions,
}: {
  readonly view: HeldCallView
  readonly actions: React.RefObject<DecisionActions | null>
}): ReactNode {
  const { blocked, decide } = useDesk()
  const past = useQuery({ queryKey: ['similar', view.id], queryFn: () => service.similar(view.id) })
  return (
    <HeldCard
      view={view}
      blocked={blocked}
      actions={actions}
      takesFocus
      wouldMatch={service.wouldMatch}
      readDefinition={() => service.definition(view.id)}
      past={past.data?.calls ?? []}
      proposeRule={({ conditions, contain }) =>
        service.proposeRules({ kind: 'set', conditions, supervision: 'automatic', contain }, view.id)
      }
      onDecide={async (decision, rule) => {
        const receipt = await decide(view, decision)
        if (receipt.accepted && rule !== undefined) await addRule(rule)
      }}
    />
  )
}
