import type { Decision, GrantScope, JsonObject, OpenedView, WouldMatch } from '@countersign/core'
import type { ReactNode } from 'react'
import { type DefinitionSource, EditArguments } from '../edit/arguments-form.tsx'
import { draftOfRequest, keepDraft } from '../edit/unsent-drafts.tsx'
import type { Pending } from './buttons.tsx'
import { GrantPicker, type ProposeRule } from './grant-picker.tsx'
import { ManualForm } from './manual-form.tsx'
import { RejectForm } from './reject-form.tsx'
import type { Stage } from './stage.ts'

/** The form of the current stage. Text is kept as a draft while the request is open. */
export function DecisionForm({
  stage,
  opened,
  blocked,
  rejectLabel,
  wouldMatch,
  proposeRule,
  readDefinition,
  onBack,
  onEdited,
  onGrant,
  onDecide,
}: {
  readonly stage: Stage
  readonly opened: OpenedView
  readonly blocked: string | null
  readonly rejectLabel: string
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
  readonly proposeRule: ProposeRule | undefined
  readonly readDefinition: DefinitionSource['read'] | undefined
  readonly onBack: () => void
  readonly onEdited: (edited: JsonObject) => void
  readonly onGrant: (pending: Pending) => void
  readonly onDecide: (decision: Decision) => void
}): ReactNode {
  const { view, body, code } = opened
  const of = { held: view.id, requestDigest: view.requestDigest }
  const begun = draftOfRequest(of)
  switch (stage.kind) {
    case 'edit':
      return (
        <EditArguments
          args={body.call.args}
          begun={begun.edit}
          onWrite={(edit) => keepDraft(of, { edit })}
          onCancel={() => {
            keepDraft(of, { edit: undefined })
            onBack()
          }}
          onUse={onEdited}
          {...(readDefinition ? { definition: { hash: body.call.tool.definition, read: readDefinition } } : {})}
        />
      )
    case 'grant':
      return (
        <GrantPicker
          offers={view.offers}
          request={view.request}
          onCancel={onBack}
          proposeRule={proposeRule}
          onUse={onGrant}
          {...(wouldMatch ? { wouldMatch } : {})}
        />
      )
    case 'manual': {
      const { edited } = stage.pending
      return (
        <ManualForm
          code={code}
          edited={edited !== undefined}
          blocked={blocked}
          reason={begun.manual ?? ''}
          onWrite={(manual) => keepDraft(of, { manual })}
          onCancel={onBack}
          onApprove={(typed, reason) =>
            onDecide({ kind: 'approve', code: typed, reason, ...(edited ? { edited } : {}) })
          }
        />
      )
    }
    case 'reject':
      return (
        <RejectForm
          label={rejectLabel}
          reason={begun.reject ?? ''}
          onWrite={(reject) => keepDraft(of, { reject })}
          onCancel={onBack}
          onReject={(reason) => onDecide({ kind: 'reject', ...(reason === '' ? {} : { reason }) })}
        />
      )
    default:
      return null
  }
}
