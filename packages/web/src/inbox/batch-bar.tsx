import { type Decision, type DecisionActions, RejectForm, StopNote, useArmed } from '@countersign/react'
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import type { BatchActs } from './use-batch-acts.ts'

/** Approves or rejects what is chosen of a batch, as its card would: not before it has stood, nor before it was seen. */
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
  /** Another batch arms anew. */
  readonly about: string
  readonly chosen: number
  readonly blocked: string | null
  readonly unread: string | null
  readonly progress: BatchActs['progress']
  readonly onDecide: (decision: Decision) => void
  readonly onStop: () => void
  readonly actions: Ref<DecisionActions>
}): ReactNode {
  const [isRejecting, setRejecting] = useState(false)
  const stage = progress !== null ? 'sent' : isRejecting ? 'reject' : 'choose'
  const armed = useArmed(`${about} ${stage}`)
  const canReject = armed && stage === 'choose' && blocked === null && chosen > 0
  const canApprove = canReject && unread === null

  function approve(): void {
    if (canApprove) onDecide({ kind: 'approve' })
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

  if (stage === 'reject')
    return (
      <div className="cs-bar" data-armed={armed} data-stage={stage}>
        <RejectForm
          label={`Reject ${chosen}`}
          onCancel={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            if (blocked === null) onDecide({ kind: 'reject', ...(reason === '' ? {} : { reason }) })
          }}
        />
      </div>
    )
  if (progress !== null)
    return (
      <div className="cs-bar" data-armed={armed} data-stage={stage}>
        <div className="cs-actions">
          <span className="cs-grow" role="status">
            Signing {progress.done + 1} of {progress.of}
          </span>
          <button type="button" className="cs-button cs-big" onClick={onStop}>
            Stop
          </button>
        </div>
      </div>
    )
  return (
    <div className="cs-bar" data-armed={armed} data-stage={stage}>
      <StopNote blocked={blocked} unread={unread} />
      <div className="cs-actions">
        <button type="button" className="cs-button cs-big cs-reject" aria-disabled={!canReject} onClick={reject}>
          Reject {chosen}{' '}
          <span className="cs-key" aria-hidden="true">
            R
          </span>
        </button>
        <button type="button" className="cs-button cs-big cs-approve" aria-disabled={!canApprove} onClick={approve}>
          Approve {chosen}{' '}
          <span className="cs-key" aria-hidden="true">
            A
          </span>
        </button>
      </div>
    </div>
  )
}
