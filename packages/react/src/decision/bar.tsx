import {
  type Decision,
  type GrantScope,
  isAnswerOnly,
  type OpenedView,
  type RulesAnswer,
  type WouldMatch,
} from '@countersign/core'
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { confirmationOf, requiredReading } from '../call/confirmation-level.ts'
import type { DefinitionSource } from '../edit/arguments-form.tsx'
import { EditDiff } from '../edit/diff.tsx'
import { draftOfRequest, dropDraft, keepDraft } from '../edit/unsent-drafts.tsx'
import { useUnread } from '../text/reading-progress.tsx'
import { DecisionButtons, ignoreKeyRepeat, type Pending, SecondConfirmation } from './buttons.tsx'
import { DecisionForm } from './form.tsx'
import type { ProposeRule } from './grant-picker.tsx'
import { StrayPressNote } from './press-guard.tsx'
import { CHOOSE, hasButtons, leavesByEscape, type Stage, stageAfter } from './stage.ts'
import { useArmed } from './use-armed.ts'
import { useBlocker, useOutcomeMessage } from './use-blocker.tsx'
import { useInitialFocus, useLostFocus } from './use-focus.ts'

/** Lets the page trigger decisions by keyboard. */
export interface DecisionActions {
  approve(): void
  reject(): void
  edit(): void
  /** Goes back one step; false if there is none. */
  back(): boolean
}

/** Labels of the buttons. */
export interface DecisionLabels {
  readonly approve?: string
  readonly reject?: string
}

interface DecisionBarProps {
  readonly opened: OpenedView
  /** Why decisions are blocked; null if they are not. */
  readonly blocked: string | null
  /** Resolves when the decision was accepted; rejects with the reason it was not, or with a `LostDecision`. */
  readonly onDecide: (decision: Decision, rule?: RulesAnswer) => Promise<unknown>
  readonly wouldMatch?: (scope: GrantScope) => Promise<WouldMatch>
  /** Reads what a rule would change; without it, no rule is offered. */
  readonly proposeRule?: ProposeRule
  /** Loads the tool definition, whose schema shapes the edit form. */
  readonly readDefinition?: DefinitionSource['read']
  readonly labels?: DecisionLabels
  readonly actions?: Ref<DecisionActions>
  /** Focuses the safe button on first render. */
  readonly takesFocus?: boolean
}

/**
 * Approve, reject, edit or grant. Riskier calls need more confirmation, and all must be read first. A new request
 * starts over, so that nothing begun for the previous one carries over. SECURITY: A5
 */
export function DecisionBar(props: DecisionBarProps): ReactNode {
  return <Bar key={props.opened.view.requestDigest} {...props} />
}

function Bar(props: DecisionBarProps): ReactNode {
  const { opened, blocked, onDecide, labels = {}, takesFocus = false } = props
  const { id: held, requestDigest, risk, offers } = opened.view
  const [stage, setStage] = useState<Stage>(CHOOSE)
  const outcome = useOutcomeMessage(blocked)
  const safe = useRef<HTMLButtonElement>(null)
  const armed = useArmed(`${requestDigest} ${stage.kind}`)
  const act = confirmationOf(opened)
  const isFixed = isAnswerOnly(opened)
  const blocker = useBlocker(blocked, useUnread(requiredReading(risk.level, act)), outcome.text)
  useInitialFocus(safe, takesFocus)
  useLostFocus(safe, stage.kind)
  function go(next: Stage): void {
    outcome.clear()
    setStage(next)
  }

  function decide(decision: Decision, rule?: RulesAnswer): void {
    const refused = decision.kind === 'approve' ? blocker.reason : blocked
    if (refused !== null) {
      outcome.show(refused)
      return
    }
    const written = dropDraft({ held, requestDigest })
    go({ kind: 'sent' })
    onDecide(decision, rule).catch((error: unknown) => {
      keepDraft({ held, requestDigest }, written)
      setStage(CHOOSE)
      outcome.fail(error)
    })
  }

  function approve(): void {
    if (!armed) return
    if (stage.kind === 'again') {
      const { edited, grant, rule } = stage.pending
      decide({ kind: 'approve', ...(edited ? { edited } : {}), ...(grant ? { grant } : {}) }, rule)
    } else if (stage.kind !== 'choose') return
    else if (blocker.reason !== null) blocker.announce()
    else if (act === 'one') decide({ kind: 'approve' })
    else go(stageAfter(act, {}))
  }

  function choose(next: 'reject' | 'edit' | 'grant'): void {
    if (stage.kind !== 'choose' || (next === 'reject' && !armed)) return
    if (next !== 'reject' && isFixed) return
    if (next === 'grant' && blocker.reason !== null) blocker.announce()
    else go({ kind: next })
  }

  const back = (): void => go(CHOOSE)
  useImperativeHandle(props.actions, () => ({
    approve,
    reject: () => choose('reject'),
    edit: () => armed && choose('edit'),
    back() {
      if (stage.kind === 'choose' || stage.kind === 'sent') return false
      if (stage.kind !== 'edit') back() // the edit form handles Escape itself, to keep changes
      return true
    },
  }))

  const pending: Pending = 'pending' in stage ? stage.pending : {}
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape and key repeat anywhere in the bar
    <div
      className="cs-bar"
      data-armed={armed}
      data-stage={stage.kind}
      onKeyDown={(event) => {
        ignoreKeyRepeat(event)
        if (event.key !== 'Escape' || !leavesByEscape(stage)) return
        event.stopPropagation()
        back()
      }}
    >
      {pending.edited !== undefined && (
        <div className="cs-again-diff">
          <EditDiff before={opened.body.call.args} after={pending.edited} />
        </div>
      )}
      <DecisionForm
        stage={stage}
        opened={opened}
        blocked={blocker.reason}
        rejectLabel={labels.reject ?? 'Reject'}
        wouldMatch={props.wouldMatch}
        proposeRule={props.proposeRule}
        readDefinition={props.readDefinition}
        onBack={back}
        onEdited={(edited) => go(stageAfter(act, { edited }))}
        onGrant={(grant) => go({ kind: 'again', pending: grant })}
        onDecide={decide}
      />
      {stage.kind === 'again' && (
        <SecondConfirmation pending={pending} level={risk.level} request={opened.view.request} />
      )}
      {(stage.kind === 'choose' || outcome.text !== null) && blocker.note}
      {stage.kind === 'choose' && draftOfRequest({ held, requestDigest }).edit !== undefined && (
        <p className="cs-note cs-note-quiet">Your unfinished edit is not included. Press Edit to continue it.</p>
      )}
      <StrayPressNote />
      {hasButtons(stage) && (
        <DecisionButtons
          stage={stage}
          act={act}
          level={risk.level}
          labels={labels}
          safe={safe}
          canReject={armed && stage.kind === 'choose' && blocked === null}
          canApprove={armed && stage.kind !== 'sent' && blocker.reason === null}
          canEdit={!isFixed}
          canGrant={act !== 'manual' && offers.length > 0 && !isFixed}
          onBack={back}
          onChoose={choose}
          onApprove={approve}
        />
      )}
    </div>
  )
}
