import type { JsonObject, RiskLevel } from '@countersign/core'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import type { Confirmation } from '../call/confirmation-level.ts'
import { CallEffect } from '../text/inline-code.tsx'
import type { DecisionLabels } from './bar.tsx'
import type { GrantChoice } from './grant-picker.tsx'
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
  readonly act: Confirmation
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

const LOOKS = {
  plain: 'cs-button cs-big',
  reject: 'cs-button cs-big cs-reject',
  approve: 'cs-button cs-big cs-approve',
  quiet: 'cs-quiet',
} as const

/** A button of a bar that decides. One that is disabled still hears the press, so that whoever tries can be told why. */
export function BarButton({
  kind,
  level,
  hotkey,
  disabled,
  ref,
  onPress,
  children,
}: {
  readonly kind: keyof typeof LOOKS
  /** The risk that is approved. */
  readonly level?: RiskLevel
  /** The key that does the same. */
  readonly hotkey?: string
  readonly disabled?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  readonly onPress: () => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className={level === undefined ? LOOKS[kind] : `${LOOKS[kind]} cs-approve-${level}`}
      aria-disabled={disabled}
      onClick={onPress}
    >
      {children}
      {hotkey !== undefined && (
        <>
          {' '}
          <span className="cs-key" aria-hidden="true">
            {hotkey}
          </span>
        </>
      )}
    </button>
  )
}

/** For a bar that decides. SECURITY: A5 one long press is one act: what a held key repeats presses no button after it. */
export function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}

/** What an approval would carry beside itself. */
export interface Pending {
  readonly edited?: JsonObject
  readonly grant?: GrantChoice
  readonly words?: string
}

/** What stands above the second act. */
export function SecondConfirmation({
  pending,
  level,
  request,
}: {
  readonly pending: Pending
  readonly level: string
  /** The request that it is about: names are set apart where they cannot be mistaken. */
  readonly request: string
}): ReactNode {
  if (pending.words !== undefined)
    return (
      <p className="cs-again" role="status">
        You grant:{' '}
        <b>
          <CallEffect text={pending.words} request={request} />
        </b>
        . It can be taken back at any time.
      </p>
    )
  return (
    <p className="cs-again" role="status">
      {pending.edited === undefined
        ? `Risk ${level}: one more act. Nothing has been decided yet.`
        : 'The edited call is judged again before it runs. Nothing has been decided yet.'}
    </p>
  )
}
