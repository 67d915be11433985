import {
  ApprovalDialog,
  ApprovalsProvider,
  approvalOfView,
  decisionOf,
  httpSource,
  openBrowserKey,
  useApprovals,
  useWhole,
} from '@countersign/react'
import '@countersign/react/style.css'
import { type ReactNode, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The service of the page's own origin: your proxy passes `/api/v1` on to it. */
const source = httpSource({ key: openBrowserKey, surface: 'my-app' })

/** Your page: the call whose deadline is next, and what became of the last one. */
function Held(): ReactNode {
  const { held, canDecide, decide, load } = useApprovals()
  const { view } = useWhole(held[0], load)
  const [said, setSaid] = useState('Nothing was decided yet.')
  const approval = useMemo(() => (view === null || !canDecide ? null : approvalOfView(view)), [view, canDecide])
  return (
    <main>
      <h1>Calls that a gate holds</h1>
      <p role="status">{said}</p>
      <ApprovalDialog
        approval={approval}
        onAnswer={(answer) =>
          view &&
          decide(view, decisionOf(view, answer)).then(
            (receipt) => setSaid(receipt.message),
            (error: unknown) => setSaid(String(error)),
          )
        }
        onClose={() => {}}
      />
    </main>
  )
}

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <ApprovalsProvider source={source}>
      <Held />
    </ApprovalsProvider>,
  )
