import {
  type ApprovalAnswer,
  ApprovalDialog,
  ApprovalsProvider,
  approvalOfView,
  decisionOf,
  httpSource,
  openBrowserKey,
  ReceiptCard,
  useApprovals,
  useFullCall,
} from '@countersign/react'
import '@countersign/react/style.css'
import './page.css'
import { type ReactNode, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Enrol } from './enrol.tsx'

const source = httpSource({ key: openBrowserKey, surface: 'react-held' })

/** Your page: asks about the held call with the earliest deadline, and lists the receipts of the others. */
function Held(): ReactNode {
  const { held, closed, link, canDecide, decide, load, wouldMatch } = useApprovals()
  const [away, setAway] = useState<ReadonlySet<string>>(new Set())
  const { view } = useFullCall(
    held.find(({ requestDigest }) => !away.has(requestDigest)),
    load,
  )
  const approval = useMemo(() => (view === null ? null : approvalOfView(view)), [view])

  /** The dialog shows errors of this promise. */
  async function answer(given: ApprovalAnswer): Promise<void> {
    if (view !== null) await decide(view, decisionOf(view, given))
  }

  return (
    <>
      <main className="cs-root">
        <h1>Held calls</h1>
        <p role="status">
          {link === 'live' ? `${held.length} held` : link === 'signed-out' ? 'Sign in: countersign inbox' : `${link}…`}
        </p>
        {away.size > 0 && (
          <button type="button" className="cs-button" onClick={() => setAway(new Set())}>
            Review closed questions
          </button>
        )}
        {view !== null && approval === null && <p role="alert">This request does not match its digests.</p>}
        {closed.map(({ view: call, receipt }) => (
          <ReceiptCard key={call.id} receipt={receipt} call={call} />
        ))}
        <Enrol />
      </main>
      <ApprovalDialog
        approval={approval}
        open={canDecide}
        onAnswer={answer}
        wouldMatch={wouldMatch}
        onClose={() => view !== null && setAway(new Set([...away, view.requestDigest]))}
      />
    </>
  )
}

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <ApprovalsProvider source={source}>
      <Held />
    </ApprovalsProvider>,
  )
