import type { Decision } from '@countersign/core'
import {
  type ApprovalAnswer,
  ApprovalDialog,
  ApprovalsProvider,
  approvalOfView,
  type DialogLabels,
  decisionOf,
  HeldCallDialog,
  isFull,
  useApprovals,
} from '@countersign/react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { PageDesk } from '../page-desk.ts'
import { pageSource } from './page-source.ts'

/** Props of `PageApprovals`. */
export interface PageApprovalsProps {
  readonly desk: PageDesk
  readonly labels?: Partial<DialogLabels>
}

/**
 * Asks the person about every held call, one after the other, the soonest deadline first. A dialog closed with Escape
 * leaves its call held, and a button opens it again.
 *
 * ```tsx
 * <PageApprovals desk={desk} />
 * ```
 */
export function PageApprovals({ desk, labels }: PageApprovalsProps): ReactNode {
  const source = useMemo(() => pageSource(desk), [desk])
  return (
    <ApprovalsProvider source={source}>
      <Questions desk={desk} labels={labels} />
    </ApprovalsProvider>
  )
}

function Questions({
  desk,
  labels,
}: {
  readonly desk: PageDesk
  readonly labels: Partial<DialogLabels> | undefined
}): ReactNode {
  const { held, canDecide, decide, wouldMatch } = useApprovals()
  const [away, setAway] = useState<ReadonlySet<string>>(new Set())
  const full = useMemo(() => held.filter(isFull), [held])
  const view = full.find(({ requestDigest }) => !away.has(requestDigest))
  const approval = useMemo(() => (view === undefined ? null : approvalOfView(view)), [view])
  useForgotten(full, away, setAway)

  /** The dialog shows errors of this promise. */
  async function answer(given: ApprovalAnswer): Promise<void> {
    if (view !== undefined) await decide(view, decisionOf(view, given))
  }

  function close(): void {
    if (view !== undefined) setAway(new Set([...away, view.requestDigest]))
  }

  // A call that needs a code and a reason, or that does not match its digests, gets the whole card.
  const isWhole = view !== undefined && (approval === null || approval.act === 'manual')
  return (
    <>
      {view === undefined && full.length > 0 && (
        <p className="cs-root">
          <button type="button" className="cs-button" onClick={() => setAway(new Set())}>
            Review {full.length === 1 ? 'the held call' : `${full.length} held calls`}
          </button>
        </p>
      )}
      {isWhole ? (
        <HeldCallDialog
          key={view.requestDigest}
          view={view}
          blocked={canDecide ? null : 'This page can’t read its store.'}
          onDecide={(decision: Decision) => decide(view, decision)}
          onClose={close}
          readDefinition={() => desk.definition(view.id)}
          {...(wouldMatch === undefined ? {} : { wouldMatch })}
        />
      ) : (
        <ApprovalDialog
          approval={approval}
          open={canDecide}
          onAnswer={answer}
          onClose={close}
          wouldMatch={wouldMatch}
          {...(labels === undefined ? {} : { labels })}
        />
      )}
    </>
  )
}

/** Forgets closed dialogs whose calls are over. INVARIANT: L10 */
function useForgotten(
  full: readonly { readonly requestDigest: string }[],
  away: ReadonlySet<string>,
  setAway: (away: ReadonlySet<string>) => void,
): void {
  useEffect(() => {
    const held = new Set(full.map(({ requestDigest }) => requestDigest))
    const left = [...away].filter((digest) => held.has(digest))
    if (left.length < away.size) setAway(new Set(left))
  }, [full, away, setAway])
}
