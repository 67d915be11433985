import { type ApprovalAnswer, ApprovalDialog, type ApprovalPart, approvalOfPart } from '@countersign/react'
import '@countersign/react/style.css'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The parts of an AI SDK message, as `useChat` returns them: one asks before its tool runs. */
const PARTS: readonly ApprovalPart[] = [
  {
    type: 'tool-send_invoice',
    state: 'approval-requested',
    input: { customer: 'Ada Lovelace', amount: 1250, currency: 'EUR', note: 'due\u202e today' },
    approval: { id: 'approval-1' },
  },
]

/** Your page: the message parts, and the dialog for the one that waits for approval. */
function Chat(): ReactNode {
  const [parts, setParts] = useState(PARTS)
  const [isOpen, setOpen] = useState(true)
  const [askedAt] = useState(Date.now)
  const part = parts.find((one) => one.approval !== undefined)
  const seconds = Number(new URLSearchParams(location.search).get('seconds') ?? 120)

  // With `useChat` this is `addToolApprovalResponse`.
  function answer({ id, approved, reason, allowAll }: ApprovalAnswer): void {
    setParts(
      parts.map((one) =>
        one.approval?.id === id ? { ...one, approval: { id, approved, ...(reason ? { reason } : {}) } } : one,
      ),
    )
    setOpen(false)
    document.title = `${approved ? (allowAll ? 'allowed all' : 'allowed') : 'denied'}${reason ? `: ${reason}` : ''}`
  }

  return (
    <main>
      <h1>An agent that asks</h1>
      <button type="button" onClick={() => setOpen(true)}>
        Review
      </button>
      <ApprovalDialog
        approval={
          part === undefined
            ? null
            : approvalOfPart(part, {
                description: 'Sends an invoice by mail.',
                openedAt: askedAt,
                expiresAt: askedAt + seconds * 1000,
              })
        }
        open={isOpen}
        onAnswer={answer}
        onClose={() => setOpen(false)}
        labels={{ title: 'Send this invoice?', allow: 'Send', deny: 'Don’t send' }}
      />
    </main>
  )
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Chat />)
