import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { mustSee } from './act.ts'
import { type Approval, type ApprovalAnswer, questionOf } from './approval.ts'
import { Countdown } from './countdown.tsx'
import { DialogBody } from './dialog-body.tsx'
import { openHeld } from './open-held.ts'
import { ReadingProvider, useUnread } from './reading.tsx'
import { RiskBadge } from './risk-badge.tsx'
import { Safe } from './safe.tsx'
import { StopNote } from './stop-note.tsx'
import { useArmed } from './use-armed.ts'
import { useDeadline } from './use-deadline.ts'

/** Every word the dialog says of its own. */
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
  readonly onAnswer: (answer: ApprovalAnswer) => void
  /** Closed without deciding: the call stays held. */
  readonly onClose: () => void
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
  labels,
  details,
}: ApprovalDialogProps): ReactNode {
  const isOver = useDeadline(approval, onAnswer)
  const safe = useRef<HTMLButtonElement>(null)
  const about = useMemo(() => (approval === null ? '' : questionOf(approval)), [approval])
  return (
    <AlertDialog.Root open={isWanted && approval !== null} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="cs-backdrop" />
        <AlertDialog.Popup className="cs-dialog cs-root" initialFocus={safe}>
          {approval !== null && (
            <ReadingProvider key={about}>
              <Question
                about={about}
                approval={approval}
                isOver={isOver}
                onAnswer={onAnswer}
                onClose={onClose}
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

function Question({
  about,
  approval,
  isOver,
  onAnswer,
  onClose,
  labels,
  details,
  safe,
}: {
  readonly about: string
  readonly approval: Approval
  readonly isOver: boolean
  readonly onAnswer: (answer: ApprovalAnswer) => void
  readonly onClose: () => void
  readonly labels: DialogLabels
  readonly details: ReactNode
  readonly safe: React.RefObject<HTMLButtonElement | null>
}): ReactNode {
  const { id, requestDigest, risk, act, openedAt, expiresAt, answered } = approval
  const [again, setAgain] = useState<'allow' | 'all' | null>(null)
  const armed = useArmed(`${about} ${again ?? ''}`)
  // A question that takes another's place has no button in focus: the safe one gets it.
  useEffect(() => safe.current?.focus(), [safe])
  const unread = useUnread(risk === null ? 'nothing' : mustSee(risk, act))
  const blocked = blockedWords(approval)
  const stop = blocked ?? unread
  const canAllow = armed && stop === null && !isOver

  function allow(kind: 'allow' | 'all'): void {
    if (!canAllow) return
    if (act === 'two' && again !== kind) setAgain(kind)
    else answer(true, kind === 'all' ? { allowAll: true } : {})
  }

  function answer(approved: boolean, more: Pick<ApprovalAnswer, 'allowAll'> = {}): void {
    onAnswer({ id, approved, ...more, ...(requestDigest === null ? {} : { requestDigest }) })
  }

  return (
    <>
      <header className="cs-dialog-head">
        <AlertDialog.Title className="cs-dialog-title">{labels.title}</AlertDialog.Title>
        {risk !== null && <RiskBadge level={risk} />}
      </header>
      <DialogBody approval={approval} label={labels.details} details={details} />
      {expiresAt !== null && answered === null && (
        <Countdown openedAt={openedAt ?? expiresAt} expiresAt={expiresAt} words="denied" />
      )}
      {answered !== null ? (
        <p className={`cs-receipt ${answered.approved ? 'cs-receipt-yes' : 'cs-receipt-no'}`} role="status">
          <span>
            {answered.approved ? '✔ allowed' : '✖ denied'}
            {answered.reason !== null && <Safe text={`: ${answered.reason}`} />}
          </span>
          <button ref={safe} type="button" className="cs-button" onClick={onClose}>
            Close
          </button>
        </p>
      ) : (
        <>
          <div role="status">
            {stop === null && again !== null ? (
              <p className="cs-note">Risk {risk}: press the same button once more.</p>
            ) : (
              <StopNote blocked={blocked} unread={unread} />
            )}
          </div>
          <div className="cs-dialog-actions">
            <button ref={safe} type="button" className="cs-button cs-big" onClick={() => answer(false)}>
              {labels.deny}
            </button>
            {approval.canAllowAll && (
              <button type="button" className="cs-button cs-big" aria-disabled={!canAllow} onClick={() => allow('all')}>
                {labels.allowAll}
              </button>
            )}
            <button
              type="button"
              className="cs-button cs-big cs-primary"
              aria-disabled={!canAllow}
              onClick={() => allow('allow')}
            >
              {labels.allow}
            </button>
          </div>
        </>
      )}
    </>
  )
}

/** INVARIANT: L5, what does not fit its digests is not allowed, whoever made the approval. */
function blockedWords({ act, view }: Approval): string | null {
  const held = view === null ? null : openHeld(view)
  if (held?.kind === 'mismatch') return held.message
  return act === 'manual' ? 'This call is under manual supervision: decide it in the inbox.' : null
}
