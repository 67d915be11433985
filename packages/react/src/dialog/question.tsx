import { AlertDialog } from '@base-ui/react/alert-dialog'
import {
  cardVerbs,
  type GrantScope,
  isAnswerOnly,
  maskView,
  type OpenedView,
  permissionQuestion,
  type WouldMatch,
} from '@countersign/core'
import { type ReactNode, type Ref, type RefObject, useEffect, useMemo, useState } from 'react'
import { requiredReading } from '../call/confirmation-level.ts'
import { verifyView } from '../call/verified-view.ts'
import { Countdown } from '../card/countdown.tsx'
import { QuestionTitle } from '../card/question-view.tsx'
import { BarButton, ignoreKeyRepeat } from '../decision/buttons.tsx'
import { GrantCoverage } from '../decision/grant-picker.tsx'
import { StrayPressNote } from '../decision/press-guard.tsx'
import { useArmed } from '../decision/use-armed.ts'
import { useBlocker } from '../decision/use-blocker.tsx'
import { useLostFocus } from '../decision/use-focus.ts'
import { CallEffect } from '../text/inline-code.tsx'
import { useUnread } from '../text/reading-progress.tsx'
import { RiskBadge } from '../text/risk-badge.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import type { Approval, ApprovalAnswer } from './approval.ts'
import type { DialogLabels } from './approval-dialog.tsx'
import { DialogBody } from './body.tsx'
import type { AnswerOnce } from './use-answer.ts'

/** One question. SECURITY: A5 an answer counts only once, only after arming, and never by key repeat. */
export function DialogQuestion({
  once: { about, sentBy, failure, send },
  approval,
  isOver,
  onClose,
  wouldMatch,
  labels: given,
  details,
  safe,
}: {
  readonly once: AnswerOnce
  readonly approval: Approval
  readonly isOver: boolean
  readonly onClose: () => void
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
  readonly labels: DialogLabels
  readonly details: ReactNode
  readonly safe: RefObject<HTMLButtonElement | null>
}): ReactNode {
  const { requestDigest, risk, act, openedAt, expiresAt, answered, allowAll } = approval
  const opened = openedOf(approval)
  const question = useMemo(() => (opened === null ? null : permissionQuestion(maskView(opened))), [opened])
  const labels = opened === null ? given : labelsOf(opened, given)
  const [chosen, setStage] = useState<DialogStage>('choose')
  const stage = sentBy === null ? chosen : 'sent'
  const armed = useArmed(`${about} ${stage}`)
  // When a new question replaces another, the safe button takes the focus.
  useEffect(() => safe.current?.focus(), [safe])
  useLostFocus(safe, stage)
  const blocker = useBlocker(blockedReason(approval), useUnread(requiredReading(risk, act)), failure)
  const canDeny = armed && stage !== 'sent'
  const canAllow = canDeny && blocker.reason === null && !isOver

  function answer(approved: boolean, more: Pick<ApprovalAnswer, 'allowAll'> = {}): void {
    setStage('choose')
    send({ approved, ...more, ...(requestDigest === null ? {} : { requestDigest }) }, 'person')
  }

  function allow(): void {
    if (!canAllow) return
    if (stage === 'all') answer(true, { allowAll: true })
    else if (act === 'two' && stage !== 'again') setStage('again')
    else answer(true)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles key repeat anywhere in the dialog
    <div className="cs-dialog-question" onKeyDown={ignoreKeyRepeat}>
      <header className="cs-dialog-head">
        <AlertDialog.Title className="cs-dialog-title">
          {question === null ? labels.title : <QuestionTitle question={question} />}
        </AlertDialog.Title>
        {risk !== null && <RiskBadge level={risk} />}
      </header>
      <DialogBody approval={approval} label={labels.details} details={details} />
      {expiresAt !== null && answered === null && sentBy !== 'person' && (
        <Countdown openedAt={openedAt ?? expiresAt} expiresAt={expiresAt} words="denied" />
      )}
      {answered !== null ? (
        <p className={`cs-receipt ${answered.approved ? 'cs-receipt-yes' : 'cs-receipt-no'}`} role="status">
          <span>
            {answered.approved ? '✔ allowed' : '✖ denied'}
            {answered.reason !== null && <SafeTextView text={`: ${answered.reason}`} />}
          </span>
          <button ref={safe} type="button" className="cs-button" onClick={onClose}>
            Close
          </button>
        </p>
      ) : (
        <>
          <div role="status">
            {stage === 'all' && allowAll !== null ? (
              <>
                <p className="cs-again">
                  This allows the call and, from now on without asking,{' '}
                  <b>
                    <CallEffect text={allowAll.words} request={approval.view?.request ?? null} />
                  </b>
                  . Nothing is decided yet.
                </p>
                {allowAll.scope !== null && <GrantCoverage scope={allowAll.scope} wouldMatch={wouldMatch} />}
              </>
            ) : stage === 'again' && blocker.reason === null ? (
              <p className="cs-note">This is a {risk}-risk call. Press the button again to allow it.</p>
            ) : (
              blocker.note
            )}
          </div>
          <StrayPressNote />
          <DialogActions
            stage={stage}
            labels={labels}
            safe={safe}
            canDeny={canDeny}
            canAllow={canAllow}
            hasAll={allowAll !== null && (opened === null || !isAnswerOnly(opened))}
            onDeny={() => canDeny && answer(false)}
            onAll={() => canAllow && setStage('all')}
            onAllow={allow}
            onBack={() => setStage('choose')}
          />
        </>
      )}
    </div>
  )
}

function openedOf({ view }: Approval): OpenedView | null {
  const held = view === null ? null : verifyView(view)
  return held?.kind === 'opened' ? held.opened : null
}

/** A question and an undo have words of their own. */
function labelsOf(opened: OpenedView, labels: DialogLabels): DialogLabels {
  if (!isAnswerOnly(opened)) return labels
  const { approve, reject } = cardVerbs(opened)
  return { ...labels, title: `${approve}?`, allow: approve, deny: reject }
}

/** INVARIANT: L5, a view that does not match its digests is never allowed. */
function blockedReason({ act, view }: Approval): string | null {
  const held = view === null ? null : verifyView(view)
  if (held?.kind === 'mismatch') return held.message
  return act === 'manual' ? 'This call needs manual approval. Decide it in the inbox.' : null
}

/** The step of an answer: `again` is the second press at high risk, `all` the one that allows the whole tool. */
type DialogStage = 'choose' | 'again' | 'all' | 'sent'

/** The buttons of the dialog, in the same order as in the inbox. */
function DialogActions({
  stage,
  labels,
  safe,
  canDeny,
  canAllow,
  hasAll,
  onDeny,
  onAll,
  onAllow,
  onBack,
}: {
  readonly stage: DialogStage
  readonly labels: DialogLabels
  readonly safe: Ref<HTMLButtonElement>
  readonly canDeny: boolean
  readonly canAllow: boolean
  readonly hasAll: boolean
  readonly onDeny: () => void
  readonly onAll: () => void
  readonly onAllow: () => void
  readonly onBack: () => void
}): ReactNode {
  return (
    <div className="cs-actions">
      {stage === 'all' ? (
        <BarButton ref={safe} kind="plain" onPress={onBack}>
          Back
        </BarButton>
      ) : (
        <BarButton ref={safe} kind="plain" disabled={!canDeny} onPress={onDeny}>
          {labels.deny}
        </BarButton>
      )}
      {hasAll && (stage === 'choose' || stage === 'again') && (
        <span className="cs-middle">
          <BarButton kind="quiet" disabled={!canAllow} onPress={onAll}>
            {labels.allowAll}
          </BarButton>
        </span>
      )}
      <BarButton kind="approve" disabled={!canAllow} onPress={onAllow}>
        {stage === 'sent' ? 'Sending…' : stage === 'all' ? labels.allowAll : labels.allow}
      </BarButton>
    </div>
  )
}
