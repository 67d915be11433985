import type { JsonObject, RiskLevel, RulesAnswer } from '@countersign/core'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import type { Confirmation } from '../call/confirmation-level.ts'
import { CallEffect } from '../text/inline-code.tsx'
import type { DecisionLabels } from './bar.tsx'
import type { GrantChoice } from './grant-picker.tsx'
import { isDeliberate } from './press-guard.tsx'
import { approveWords, type Stage } from './stage.ts'

/** The buttons below a card: safe on the left, approve on the right. */
export function DecisionButtons({
  stage,
  act,
  level,
  labels,
  safe,
  canReject,
  canApprove,
  canEdit,
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
  readonly canEdit: boolean
  /** Whether the gate offers grants for this call. */
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
          {canEdit && (
            <BarButton kind="quiet" hotkey="E" onPress={() => onChoose('edit')}>
              Edit
            </BarButton>
          )}
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

/**
 * A button of a decision bar. A disabled one still receives presses, so that it can explain why. One that approves ignores
 * a pointer that was only lent to this page.
 */
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
  /** The risk level of the approved call. */
  readonly level?: RiskLevel
  /** The keyboard shortcut to show. */
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
      onClick={(event) => {
        if (kind !== 'approve' || isDeliberate(event.nativeEvent)) onPress()
      }}
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

/** SECURITY: A5 a long press of Enter counts once: key repeat must not press the next button. */
export function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}

/** Edits or a grant that come with an approval. */
export interface Pending {
  readonly edited?: JsonObject
  readonly grant?: GrantChoice
  /** A rule to add after the approval. */
  readonly rule?: RulesAnswer
  readonly words?: string
}

/** The text above the buttons before the second press. */
export function SecondConfirmation({
  pending,
  level,
  request,
}: {
  readonly pending: Pending
  readonly level: string
  /** The request, for rendering names safely. */
  readonly request: string
}): ReactNode {
  if (pending.words !== undefined)
    return (
      <p className="cs-again" role="status">
        {pending.rule === undefined ? 'You grant' : 'You add a rule to your policy'}:{' '}
        <b>
          <CallEffect text={pending.words} request={request} />
        </b>
        . You can {pending.rule === undefined ? 'revoke' : 'undo'} this at any time.
      </p>
    )
  return (
    <p className="cs-again" role="status">
      {pending.edited === undefined
        ? `This is a ${level}-risk call. Press again to approve it. Nothing is decided yet.`
        : 'The edited call is evaluated again before it runs. Nothing is decided yet.'}
    </p>
  )
}
