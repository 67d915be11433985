import { type ApprovalAnswer, ApprovalDialog, approvalOfPart } from '@countersign/react'
import '@countersign/react/style.css'
import { createElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The answers so far, and functions by which the test settles them. */
export interface SlowAnswers {
  readonly given: ApprovalAnswer[]
  readonly ends: { readonly arrive: (value?: unknown) => void; readonly fail: (error: Error) => void }[]
}

declare global {
  interface Window {
    answers: SlowAnswers
  }
}

const SECONDS = 600
const answers: SlowAnswers = { given: [], ends: [] }
window.answers = answers

const PART = { type: 'tool-send_invoice', input: { amount: 1250 }, approval: { id: 'approval-1' } }

/** An app whose answers settle only when the test settles them. */
function App(): ReactNode {
  const [isOpen, setOpen] = useState(true)
  const [askedAt] = useState(Date.now)
  return createElement(
    'main',
    null,
    createElement('button', { type: 'button', onClick: () => setOpen(true) }, 'Review'),
    createElement(ApprovalDialog, {
      approval: approvalOfPart(PART, { openedAt: askedAt, expiresAt: askedAt + SECONDS * 1000 }),
      open: isOpen,
      onClose: () => setOpen(false),
      onAnswer(answer) {
        answers.given.push(answer)
        return new Promise((arrive, fail) => answers.ends.push({ arrive, fail }))
      },
    }),
  )
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(createElement(App))
