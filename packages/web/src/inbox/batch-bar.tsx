import {
  BarButton,
  type Decision,
  type DecisionActions,
  draftOfRequest,
  ignoreKeyRepeat,
  keepDraft,
  RejectForm,
  StrayPressNote,
  useArmed,
  useBlocker,
  useLostFocus,
} from '@countersign/react'
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import type { BatchDecisions } from './use-batch-decisions.ts'

/** Approves or rejects the selected calls of a batch, after arming and reading like a card. */
export function BatchBar({
  about,
  chosen,
  blocked,
  unread,
  progress,
  onDecide,
  onStop,
  actions,
}: {
  /** Identifies the batch; a new one re-arms the bar. */
  readonly about: string
  readonly chosen: number
  readonly blocked: string | null
  readonly unread: string | null
  readonly progress: BatchDecisions['progress']
  readonly onDecide: (decision: Decision) => void
  readonly onStop: () => void
  readonly actions: Ref<DecisionActions>
}): ReactNode {
  const [isRejecting, setRejecting] = useState(false)
  const stage = progress !== null ? 'sent' : isRejecting ? 'reject' : 'choose'
  const armed = useArmed(`${about} ${stage}`)
  const blocker = useBlocker(blocked, unread)
  const safe = useRef<HTMLButtonElement>(null)
  useLostFocus(safe, stage)
  const canReject = armed && stage === 'choose' && blocked === null && chosen > 0
  const canApprove = canReject && blocker.reason === null
  const of = { held: about, requestDigest: about }

  function approve(): void {
    if (canApprove) onDecide({ kind: 'approve' })
    else if (canReject) blocker.announce()
  }
  function reject(): void {
    if (canReject) setRejecting(true)
  }
  function back(): boolean {
    if (stage !== 'reject') return false
    setRejecting(false)
    return true
  }
  useImperativeHandle(actions, () => ({ approve, reject, edit() {}, back }))

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape and key repeat anywhere in the bar
    <div
      className="cs-bar"
      data-armed={armed}
      data-stage={stage}
      onKeyDown={(event) => {
        ignoreKeyRepeat(event)
        if (event.key === 'Escape' && back()) event.stopPropagation()
      }}
    >
      {stage === 'reject' && (
        <RejectForm
          label={`Reject ${chosen}`}
          reason={draftOfRequest(of).reject ?? ''}
          onWrite={(reason) => keepDraft(of, { reject: reason })}
          onCancel={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            if (blocked !== null) return
            keepDraft(of, { reject: undefined })
            onDecide({ kind: 'reject', ...(reason === '' ? {} : { reason }) })
          }}
        />
      )}
      {stage === 'sent' && progress !== null && (
        <div className="cs-actions">
          <span className="cs-grow" role="status">
            Signing {progress.done + 1} of {progress.of}
          </span>
          <BarButton ref={safe} kind="plain" onPress={onStop}>
            Stop
          </BarButton>
        </div>
      )}
      {stage === 'choose' && (
        <>
          {blocker.note}
          <StrayPressNote />
          <div className="cs-actions">
            <BarButton ref={safe} kind="reject" hotkey="R" disabled={!canReject} onPress={reject}>
              Reject {chosen}
            </BarButton>
            <BarButton kind="approve" hotkey="A" disabled={!canApprove} onPress={approve}>
              Approve {chosen}
            </BarButton>
          </div>
        </>
      )}
    </div>
  )
}
