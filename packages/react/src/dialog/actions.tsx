import type { ReactNode, Ref } from 'react'
import { BarButton } from '../decision/bar-button.tsx'
import type { DialogLabels } from './approval-dialog.tsx'

/** How far an answer is: `again` is the second press at high, `all` the one that allows all from a tool. */
export type DialogStage = 'choose' | 'again' | 'all' | 'sent'

/** The buttons of the dialog, each where the inbox has its like. */
export function DialogActions({
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
        {stage === 'sent' ? 'Sent…' : stage === 'all' ? labels.allowAll : labels.allow}
      </BarButton>
    </div>
  )
}
