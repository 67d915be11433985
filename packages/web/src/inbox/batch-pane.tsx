import {
  Effect,
  EndOfBody,
  type HeldCallView,
  LostDecision,
  levelOf,
  maskView,
  openHeld,
  PreviewView,
  ReadingProvider,
  type Receipt,
  ReceiptCard,
  RiskBadge,
  Safe,
  StopNote,
  useArmed,
  useUnseen,
} from '@countersign/react'
import { type ReactNode, useMemo, useState } from 'react'
import { useDesk } from '../desk.ts'
import type { Batch } from './batches.ts'
import { ReadingNote } from './held-loading.tsx'
import { maskedEffect } from './masked-effect.ts'
import { useWholeBatch } from './use-whole-batch.ts'

/** Equal calls, each shown whole, approved one by one with one press. */
export function BatchPane({ batch }: { readonly batch: Batch }): ReactNode {
  const { views, unread, problem, again } = useWholeBatch(batch)
  if (views === null)
    return (
      <article className="cs-card" aria-label="Equal calls, not read yet">
        <div className="cs-body" aria-busy={problem === null}>
          <h2 className="cs-effect">{batch.views.length} calls of one rule, with the same risk</h2>
          <ReadingNote problem={problem} again={again}>
            Reading {unread} of them. They can be decided once all are here.
          </ReadingNote>
        </div>
      </article>
    )
  return (
    <ReadingProvider key={batch.key}>
      <Pane batch={batch} views={views} />
    </ReadingProvider>
  )
}

function Pane({ batch, views }: { readonly batch: Batch; readonly views: readonly HeldCallView[] }): ReactNode {
  const { blocked, closed, decide } = useDesk()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [receipts, setReceipts] = useState<ReadonlyMap<string, Receipt>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const armed = useArmed(batch.key)
  const { folds } = useUnseen()
  const chosen = views.filter((view) => !left.has(view.id) && !receipts.has(view.id))
  const unread = batch.risk === 'medium' && folds > 0 ? 'Open what is folded and read it to its end first.' : null
  const stop = blocked ?? unread

  async function approve(): Promise<void> {
    if (!armed || stop !== null || isBusy) return
    setBusy(true)
    for (const view of chosen) {
      const receipt = await decide(view, { kind: 'approve' }).catch((error: unknown) => failed(view, error))
      setReceipts((before) => new Map(before).set(view.id, receipt))
    }
    setBusy(false)
  }

  return (
    <article className="cs-card" aria-label="Equal calls">
      <div className="cs-body">
        <header className="cs-card-head">
          <RiskBadge level={levelOf(batch.risk)} />
          <span className="cs-tool">
            <Safe text={batch.rule} />
          </span>
        </header>
        <h2 className="cs-effect">{views.length} calls of one rule, with the same risk</h2>
        <p className="cs-dim">Each is shown whole, signed on its own, and recorded on its own.</p>
        {views.map((view) => {
          const mine = receipts.get(view.id)
          // What the stream tells counts more than a decision that got lost.
          const told = closed.find((one) => one.view.requestDigest === view.requestDigest)?.receipt
          const receipt = mine?.accepted === false ? (told ?? mine) : mine
          return receipt === undefined ? (
            <Item
              key={view.id}
              view={view}
              isChosen={!left.has(view.id)}
              toggle={() => setLeft(toggled(left, view.id))}
            />
          ) : (
            <ReceiptCard
              key={view.id}
              receipt={receipt}
              effect={<Effect text={maskedEffect(view)} request={view.request} />}
            />
          )
        })}
        <EndOfBody />
      </div>
      <div className="cs-bar">
        <StopNote blocked={blocked} unread={unread} />
        <div className="cs-actions">
          <span className="cs-grow cs-dim">{chosen.length} chosen</span>
          <button
            type="button"
            className="cs-button cs-big cs-approve"
            aria-disabled={!armed || stop !== null || isBusy || chosen.length === 0}
            onClick={() => void approve()}
          >
            {isBusy ? 'Signing…' : `Approve ${chosen.length}`}
          </button>
        </div>
      </div>
    </article>
  )
}

function Item({
  view,
  isChosen,
  toggle,
}: {
  readonly view: HeldCallView
  readonly isChosen: boolean
  readonly toggle: () => void
}): ReactNode {
  const held = openHeld(view)
  const masked = useMemo(() => (held.kind === 'opened' ? maskView(held.opened).opened : null), [held])
  if (masked === null) return null
  return (
    <section className={isChosen ? 'batch-item' : 'batch-item batch-left'}>
      <label className="cs-choice">
        <input type="checkbox" checked={isChosen} onChange={toggle} />
        <b>
          <Effect text={masked.view.effect} request={masked.view.request} />
        </b>
      </label>
      <PreviewView opened={masked} />
    </section>
  )
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

function failed(view: HeldCallView, error: unknown): Receipt {
  const message = error instanceof Error ? error.message : 'nothing was decided'
  const state = error instanceof LostDecision ? 'not known' : 'not decided'
  return { held: view.id, accepted: false, state, by: null, at: Date.now(), message }
}
