import {
  CallEffect,
  countedWords,
  type DecisionActions,
  type HeldCallView,
  isFull,
  maskedEffect,
  ReadingProvider,
  ReceiptCard,
  RiskBadge,
  SafeTextView,
  toRiskLevel,
  useUnread,
} from '@countersign/react'
import { type ReactNode, type Ref, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../approvals/context.ts'
import { BatchBar } from './batch-bar.tsx'
import { BatchItem } from './batch-item.tsx'
import type { Batch } from './batches.ts'
import { useFullBatch } from './batches.ts'
import { ReadingNote } from './held-loading.tsx'
import { problemOf, useBatchDecisions, useFinishedCalls } from './use-batch-decisions.ts'

interface BatchPaneProps {
  readonly batch: Batch
  /** The next batch, if there is one. */
  readonly next: { readonly count: number; readonly go: () => void } | null
  readonly actions: Ref<DecisionActions>
}

/** Similar calls, each shown in full, decided together with one press. */
export function BatchPane(props: BatchPaneProps): ReactNode {
  const { batch } = props
  const { views, unread, problem, again } = useFullBatch(batch)
  if (views === null)
    return (
      <article className="cs-card" aria-label="Similar calls, loading">
        <div className="cs-body" aria-busy={problem === null}>
          <BatchTitle batch={batch} count={batch.views.length} />
          <ReadingNote problem={problem} again={again}>
            Loading {countedWords(unread, 'call')}. You can decide once all are loaded.
          </ReadingNote>
        </div>
      </article>
    )
  return (
    <ReadingProvider>
      <Pane {...props} views={views} />
    </ReadingProvider>
  )
}

function Pane({
  batch,
  views,
  next,
  actions,
}: BatchPaneProps & { readonly views: readonly HeldCallView[] }): ReactNode {
  const { blocked } = useDesk()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const acts = useBatchDecisions()
  const over = useFinishedCalls(views, acts)
  const chosen = views.filter((view) => !left.has(view.id) && !over.has(view.id))
  // One press decides many calls, so all must be read in full at any risk. SECURITY: A14
  const unread = useUnread('everything')
  return (
    <article className={`cs-card cs-edge-${toRiskLevel(batch.risk)}`} aria-label="Similar calls">
      <div className="cs-body">
        <BatchTitle batch={batch} count={views.length} />
        <Alone batch={batch} />
        {views.map((view, at) => {
          const receipt = over.get(view.id)
          return receipt === undefined ? (
            <BatchItem
              key={view.id}
              view={view}
              first={chosen[0]}
              place={`call ${at + 1} of ${views.length}`}
              isChosen={!left.has(view.id)}
              problem={problemOf(acts.failures.get(view.id))}
              toggle={acts.progress === null ? () => setLeft(toggled(left, view.id)) : null}
            />
          ) : (
            <ReceiptCard key={view.id} receipt={receipt} call={view} />
          )
        })}
        {next !== null && over.size > 0 && acts.progress === null && (
          <p>
            <button type="button" className="cs-button" onClick={next.go}>
              Show the next {next.count}
            </button>
          </p>
        )}
      </div>
      <BatchBar
        about={batch.id}
        chosen={chosen.length}
        blocked={blocked}
        unread={unread}
        progress={acts.progress}
        onDecide={(decision) => void acts.decide(chosen, decision)}
        onStop={acts.stop}
        actions={actions}
      />
    </article>
  )
}

function BatchTitle({ batch, count }: { readonly batch: Batch; readonly count: number }): ReactNode {
  return (
    <>
      <header className="cs-card-head">
        <RiskBadge level={toRiskLevel(batch.risk)} />
        <span className="cs-tool">
          <SafeTextView text={batch.tool} />
        </span>
        <span className="cs-asked cs-dim">
          asked by <SafeTextView text={batch.agent.join(' › ')} />
        </span>
      </header>
      <h2 className="cs-effect">{count} similar calls</h2>
      <p className="cs-dim">
        Same tool, agent, session, rule (<SafeTextView text={batch.rule} />) and risk. Each call is shown in full, and
        signed and recorded separately.
        {batch.more > 0 && ` ${batch.more} more follow in the next batch.`}
      </p>
    </>
  )
}

/** Similar calls that must be decided separately. */
function Alone({ batch: { alone } }: { readonly batch: Batch }): ReactNode {
  if (alone.length === 0) return null
  return (
    <div className="cs-notes">
      <p>Not included, decide separately:</p>
      <ul>
        {alone.map(({ call, why }) => (
          <li key={call.id}>
            <Link href={`/held/${encodeURIComponent(call.id)}`}>
              <CallEffect text={maskedEffect(call)} request={isFull(call) ? call.request : null} />
            </Link>
            : <SafeTextView text={why} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}
