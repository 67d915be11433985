import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { GrantScope, WouldMatch } from '@countersign/core'
import { type ReactNode, useRef } from 'react'
import { useWatchedPointer } from '../decision/press-guard.tsx'
import { ReadingProvider } from '../text/reading-progress.tsx'
import type { Approval, ApprovalAnswer } from './approval.ts'
import { DialogQuestion } from './question.tsx'
import { useAnswerOnce, useDeadline } from './use-answer.ts'

/** Texts of the title, buttons and details. */
export interface DialogLabels {
  readonly title: string
  readonly allow: string
  readonly deny: string
  readonly allowAll: string
  readonly details: string
}

const LABELS: DialogLabels = {
  title: 'Allow this tool to run?',
  allow: 'Allow',
  deny: 'Deny',
  allowAll: 'Allow all from this tool',
  details: 'Details',
}

/** Props of `ApprovalDialog`. */
export interface ApprovalDialogProps {
  /** Null if there is nothing to ask. */
  readonly approval: Approval | null
  /** False hides the dialog; the question stays open and its time keeps running. */
  readonly open?: boolean
  /**
   * Called once, with the person's answer or a no at the deadline. Return a promise: if it rejects, its error is shown.
   */
  readonly onAnswer: (answer: ApprovalAnswer) => unknown
  /** The dialog was closed without an answer; the call stays held. */
  readonly onClose: () => void
  /** Counts past calls, from `useApprovals`; shown before the whole tool is allowed. */
  readonly wouldMatch?: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
  readonly labels?: Partial<DialogLabels>
  /** Shown under `Details`, below the arguments. */
  readonly details?: ReactNode
}

/**
 * Asks a person about one call. Escape closes it without an answer; at the deadline the answer is no, open or not.
 *
 * ```tsx
 * <ApprovalDialog approval={approvalOfPart(part)} open={isOpen} onAnswer={addToolApprovalResponse} onClose={close} />
 * ```
 */
export function ApprovalDialog({
  approval,
  open: isWanted = true,
  onAnswer,
  onClose,
  wouldMatch,
  labels,
  details,
}: ApprovalDialogProps): ReactNode {
  useWatchedPointer()
  const once = useAnswerOnce(approval, onAnswer)
  const isOver = useDeadline(approval, once)
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={isWanted && approval !== null} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="cs-backdrop" />
        <AlertDialog.Popup className="cs-dialog cs-root" initialFocus={safe}>
          {approval !== null && (
            <ReadingProvider key={once.about}>
              <DialogQuestion
                once={once}
                approval={approval}
                isOver={isOver}
                onClose={onClose}
                wouldMatch={wouldMatch}
                labels={{ ...LABELS, ...labels }}
                details={details}
                safe={safe}
              />
            </ReadingProvider>
          )}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
