import type { Decision, GrantScope, OpenedView } from '@countersign/core'
import { type ReactNode, type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type Act, actOf, mustSee } from './act.ts'
import { Again, type Pending } from './again.tsx'
import { type DefinitionSource, EditArguments } from './edit/edit-arguments.tsx'
import { EditDiff } from './edit/edit-diff.tsx'
import { GrantPicker, type WouldMatch } from './grant-picker.tsx'
import { LostDecision } from './hand-in.ts'
import { ManualForm } from './manual-form.tsx'
import { useUnread } from './reading.tsx'
import { RejectForm } from './reject-form.tsx'
import { Safe } from './safe.tsx'
import { StopNote } from './stop-note.tsx'
import { useArmed } from './use-armed.ts'
import { useFirstFocus } from './use-first-focus.ts'

type Stage =
  | { readonly kind: 'choose' | 'reject' | 'grant' | 'edit' | 'sent' }
  /** The second act, or the details of a manual one. */
  | { readonly kind: 'again' | 'manual'; readonly pending: Pending }

/** For the keyboard of the page around. */
export interface DecisionActions {
  approve(): void
  reject(): void
  edit(): void
  /** Goes back one step; false where there is none, so that the page may leave the call. */
  back(): boolean
}

/** The words on the buttons. */
export interface DecisionLabels {
  readonly approve?: string
  readonly reject?: string
}

interface DecisionBarProps {
  readonly opened: OpenedView
  /** Why nothing may be decided now, in words; null when it may. */
  readonly blocked: string | null
  /** Resolves when the decision was taken or answered; rejects with why nothing happened, or a `LostDecision`. */
  readonly onDecide: (decision: Decision) => Promise<unknown>
  readonly wouldMatch?: (scope: GrantScope) => Promise<WouldMatch>
  /** The definition of the call's tool, for a form by its schema. */
  readonly readDefinition?: DefinitionSource['read']
  readonly labels?: DecisionLabels
  readonly actions?: Ref<DecisionActions>
  /** Puts the focus on the safe button when the bar is first drawn. */
  readonly takesFocus?: boolean
  /** Opens the details at the code that manual supervision asks for. */
  readonly showCode?: () => void
}

const STILL_HELD = 'Live again: this call is still held, and no decision on it has arrived so far.'

/**
 * Approve, reject, edit or grant: as deliberate as the call is risky, and never before it was seen. A call that is asked
 * anew is another question, and nothing that was begun for the last one is carried over. SECURITY: A5
 */
export function DecisionBar(props: DecisionBarProps): ReactNode {
  return <Bar key={props.opened.view.requestDigest} {...props} />
}

function Bar({
  opened,
  blocked,
  onDecide,
  wouldMatch,
  readDefinition,
  labels = {},
  actions,
  takesFocus = false,
  showCode,
}: DecisionBarProps): ReactNode {
  const [stage, setStage] = useState<Stage>({ kind: 'choose' })
  const [note, setNote] = useState<string | null>(null)
  const [isLost, setLost] = useState(false)
  const [was, setWas] = useState(blocked)
  const safe = useRef<HTMLButtonElement>(null)
  const [isTold, setTold] = useState(false)
  const armed = useArmed(`${opened.view.requestDigest} ${stage.kind}`)
  const act = actOf(opened)
  const unread = useUnread(mustSee(opened.view.risk.level, act))
  const stop = blocked ?? unread
  useFirstFocus(safe, takesFocus)
  useSafeFocusAfter(stage.kind, safe)
  if (was !== blocked) {
    setWas(blocked)
    // What was said of a page that was not live is over with that.
    if (blocked === null) {
      setNote(isLost ? STILL_HELD : null)
      setLost(false)
    }
  }

  function go(next: Stage): void {
    setNote(null)
    setLost(false)
    setStage(next)
  }

  function decide(decision: Decision): void {
    const refused = decision.kind === 'approve' ? stop : blocked
    if (refused !== null) {
      setNote(refused)
      return
    }
    go({ kind: 'sent' })
    onDecide(decision).catch((error: unknown) => {
      const told = error instanceof Error ? error : new LostDecision()
      setStage({ kind: 'choose' })
      setNote(told.message)
      setLost(told instanceof LostDecision)
    })
  }

  function wantApprove(): void {
    if (!armed) return
    if (stop !== null) setTold(true)
    else if (act === 'one') decide({ kind: 'approve' })
    else go(nextOf(act, {}))
  }

  function confirm(pending: Pending): void {
    if (!armed) return
    const { edited, grant } = pending
    decide({ kind: 'approve', ...(edited ? { edited } : {}), ...(grant ? { grant } : {}) })
  }

  useImperativeHandle(actions, () => ({
    approve() {
      if (stage.kind === 'choose') wantApprove()
      else if (stage.kind === 'again') confirm(stage.pending)
    },
    reject() {
      if (stage.kind === 'choose' && armed) go({ kind: 'reject' })
    },
    edit() {
      if (stage.kind === 'choose' && armed) go({ kind: 'edit' })
    },
    back() {
      if (stage.kind === 'choose' || stage.kind === 'sent') return false
      if (stage.kind !== 'edit') back() // what was written is not lost to one key: its form knows
      return true
    },
  }))

  const back = (): void => go({ kind: 'choose' })
  const canGrant = act !== 'manual' && opened.view.offers.length > 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape, wherever in the bar the focus is
    <div
      className="cs-bar"
      data-armed={armed}
      data-stage={stage.kind}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !('pending' in stage || stage.kind === 'reject' || stage.kind === 'grant')) return
        event.stopPropagation()
        back()
      }}
    >
      {stage.kind === 'edit' && (
        <EditArguments
          args={opened.body.call.args}
          onCancel={back}
          onUse={(edited) => go(nextOf(act, { edited }))}
          {...(readDefinition ? { definition: { hash: opened.body.call.tool.definition, read: readDefinition } } : {})}
        />
      )}
      {stage.kind === 'grant' && (
        <GrantPicker
          offers={opened.view.offers}
          request={opened.view.request}
          onCancel={back}
          onUse={(grant, words) => go({ kind: 'again', pending: { grant, words } })}
          {...(wouldMatch ? { wouldMatch } : {})}
        />
      )}
      {'pending' in stage && stage.pending.edited !== undefined && (
        <div className="cs-again-diff">
          <EditDiff before={opened.body.call.args} after={stage.pending.edited} />
        </div>
      )}
      {stage.kind === 'manual' && (
        <ManualForm
          code={opened.code}
          edited={stage.pending.edited !== undefined}
          stop={stop}
          onCancel={back}
          {...(showCode ? { showCode } : {})}
          onApprove={(code, reason) =>
            decide({ kind: 'approve', code, reason, ...(stage.pending.edited ? { edited: stage.pending.edited } : {}) })
          }
        />
      )}
      {stage.kind === 'reject' && (
        <RejectForm
          label={labels.reject ?? 'Reject'}
          onCancel={back}
          onReject={(reason) => decide({ kind: 'reject', ...(reason === '' ? {} : { reason }) })}
        />
      )}
      {stage.kind === 'again' && <Again pending={stage.pending} level={opened.view.risk.level} />}
      {note !== null && (
        <p className="cs-note" role="alert">
          <Safe text={note} />
        </p>
      )}
      {note === null && stage.kind === 'choose' && <StopNote blocked={blocked} unread={unread} isTold={isTold} />}
      {(stage.kind === 'choose' || stage.kind === 'again' || stage.kind === 'sent') && (
        <div className="cs-actions">
          {stage.kind === 'again' ? (
            <button type="button" className="cs-button cs-big" onClick={back}>
              Back
            </button>
          ) : (
            <button
              ref={safe}
              type="button"
              className="cs-button cs-big cs-reject"
              aria-disabled={!armed || stage.kind === 'sent' || blocked !== null}
              onClick={() => armed && stage.kind === 'choose' && go({ kind: 'reject' })}
            >
              {labels.reject ?? 'Reject'}{' '}
              <span className="cs-key" aria-hidden="true">
                R
              </span>
            </button>
          )}
          {stage.kind === 'choose' && (
            <span className="cs-middle">
              <button type="button" className="cs-quiet" onClick={() => go({ kind: 'edit' })}>
                Edit{' '}
                <span className="cs-key" aria-hidden="true">
                  E
                </span>
              </button>
              {canGrant && (
                <button
                  type="button"
                  className="cs-quiet"
                  onClick={() => (stop === null ? go({ kind: 'grant' }) : setTold(true))}
                >
                  Grant…
                </button>
              )}
            </span>
          )}
          <button
            type="button"
            className={`cs-button cs-big cs-approve cs-approve-${opened.view.risk.level}`}
            aria-disabled={!armed || stop !== null || stage.kind === 'sent'}
            onClick={() => (stage.kind === 'again' ? confirm(stage.pending) : stage.kind === 'choose' && wantApprove())}
          >
            {stage.kind === 'sent' ? 'Sent…' : approveWords(stage, labels.approve ?? 'Approve', act)}{' '}
            <span className="cs-key" aria-hidden="true">
              A
            </span>
          </button>
        </div>
      )}
    </div>
  )
}

function nextOf(act: Act, pending: Pending): Stage {
  return act === 'manual' ? { kind: 'manual', pending } : { kind: 'again', pending }
}

function approveWords(stage: Stage, word: string, act: Act): string {
  if (stage.kind !== 'again') return act === 'manual' ? `${word}…` : word
  if (stage.pending.edited !== undefined) return `${word} the edited call`
  return stage.pending.grant !== undefined ? `${word} and grant` : `${word}: yes, run it`
}

/** The form that had the focus is gone: the safe button takes it. */
function useSafeFocusAfter(stage: Stage['kind'], safe: RefObject<HTMLButtonElement | null>): void {
  const before = useRef(stage)
  useEffect(() => {
    const hadForm = before.current !== 'choose' && before.current !== 'sent'
    before.current = stage
    if (stage === 'choose' && hadForm) safe.current?.focus({ preventScroll: true })
  }, [stage, safe])
}
