import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { GrantScope, WouldMatch } from '@countersign/core'
import { type ReactNode, useRef } from 'react'
import { ReadingProvider } from '../text/reading-progress.tsx'
import type { Approval, ApprovalAnswer } from './approval.ts'
import { DialogQuestion } from './question.tsx'
import { useAnswerOnce, useDeadline } from './use-answer.ts'

/** The words of its title, its buttons and its details. */
export interface DialogLabels {
  readonly title: string
  readonly allow: string
  readonly deny: string
  readonly allowAll: string
  readonly details: string
}

const LABELS: DialogLabels = {
  title: 'May this tool run?',
  allow: 'Allow',
  deny: 'Deny',
  allowAll: 'Allow all from this tool',
  details: 'Details',
}

/** What the dialog is given. */
export interface ApprovalDialogProps {
  /** Null where nothing is asked, or not any more. */
  readonly approval: Approval | null
  /** False puts the dialog away and leaves the question: its time runs on. */
  readonly open?: boolean
  /** A person answered, or the time was over: one of both, and once. Give back the promise that says whether it counted: its error is shown. */
  readonly onAnswer: (answer: ApprovalAnswer) => unknown
  /** Closed without deciding: the call stays held. */
  readonly onClose: () => void
  /** What a grant would have covered in the past, as `useApprovals` has it: said before all of a tool is allowed. */
  readonly wouldMatch?: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
  readonly labels?: Partial<DialogLabels>
  /** What `Details` shows beside the arguments. */
  readonly details?: ReactNode
}

/**
 * Asks a person about one call. Escape closes it and decides nothing; at the deadline the answer is no, closed or not.
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
