import type { RiskLevel } from '@countersign/core'
import type { ReactNode, Ref } from 'react'
import type { Act } from '../call/confirmation-level.ts'
import type { DecisionLabels } from './bar.tsx'
import { BarButton } from './bar-button.tsx'
import { approveWords, type Stage } from './stage.ts'

/** The buttons below a card: the safe one on the left, the one that approves on the right. */
export function DecisionButtons({
  stage,
  act,
  level,
  labels,
  safe,
  canReject,
  canApprove,
  canGrant,
  onBack,
  onChoose,
  onApprove,
}: {
  readonly stage: Stage
  readonly act: Act
  readonly level: RiskLevel
  readonly labels: DecisionLabels
  readonly safe: Ref<HTMLButtonElement>
  readonly canReject: boolean
  readonly canApprove: boolean
  /** Whether a grant was offered. */
  readonly canGrant: boolean
  readonly onBack: () => void
  readonly onChoose: (next: 'reject' | 'edit' | 'grant') => void
  readonly onApprove: () => void
}): ReactNode {
  return (
    <div className="cs-actions">
      {stage.kind === 'again' ? (
        <BarButton ref={safe} kind="plain" onPress={onBack}>
          Back
        </BarButton>
      ) : (
        <BarButton ref={safe} kind="reject" hotkey="R" disabled={!canReject} onPress={() => onChoose('reject')}>
          {labels.reject ?? 'Reject'}
        </BarButton>
      )}
      {stage.kind === 'choose' && (
        <span className="cs-middle">
          <BarButton kind="quiet" hotkey="E" onPress={() => onChoose('edit')}>
            Edit
          </BarButton>
          {canGrant && (
            <BarButton kind="quiet" onPress={() => onChoose('grant')}>
              Grant…
            </BarButton>
          )}
        </span>
      )}
      <BarButton kind="approve" level={level} hotkey="A" disabled={!canApprove} onPress={onApprove}>
        {approveWords(stage, labels.approve ?? 'Approve', act)}
      </BarButton>
    </div>
  )
}
