import { AlertDialog } from '@base-ui/react/alert-dialog'
import {
  type JsonObject,
  maskJson,
  maskText,
  maskView,
  type OpenedView,
  type Preview,
  permissionQuestion,
} from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { verifyView } from '../call/verified-view.ts'
import { CallContext, UnverifiedClaim } from '../card/call-context.tsx'
import { QuestionView } from '../card/question-view.tsx'
import { RevealSecrets } from '../card/reveal-secrets.tsx'
import { JsonView, PlainArguments } from '../preview/arguments-view.tsx'
import { PreviewView } from '../preview/preview-view.tsx'
import { EndOfCard, OptionalReading } from '../text/reading-progress.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import type { Approval } from './approval.ts'

/** The content of the dialog. */
interface Asked {
  readonly args: JsonObject
  readonly description: string | null
  /** Null for a part. */
  readonly opened: OpenedView | null
}

/** The content of the dialog: tool and arguments; for a held call, the preview and context of its card. */
export function DialogBody({
  approval,
  label,
  details,
}: {
  readonly approval: Approval
  /** The label of the details. */
  readonly label: string
  readonly details: ReactNode
}): ReactNode {
  const { tool, args, description, view } = approval
  const [isRevealed, setRevealed] = useState(false)
  const { plain, masked, secrets } = useMemo(
    () => coveredOf({ args, description, opened: view === null ? null : openedOf(view) }),
    [args, description, view],
  )
  const shown = isRevealed ? plain : masked
  const question = shown.opened === null ? null : permissionQuestion(shown.opened)
  return (
    <div className="cs-dialog-body">
      <AlertDialog.Description className={question === null ? 'cs-dialog-tool' : 'cs-hidden'} render={<p />}>
        <span className="cs-hidden">The tool </span>
        <code>
          <SafeTextView text={tool} />
        </code>
      </AlertDialog.Description>
      <RevealSecrets secrets={secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
      {shown.opened === null ? (
        <>
          <PlainArguments args={shown.args} />
          <UnverifiedClaim who="server" text={shown.description} />
        </>
      ) : (
        <>
          {question !== null ? (
            <QuestionView question={question} />
          ) : showsEverything(shown.opened.view.preview) ? (
            <PreviewView opened={shown.opened} />
          ) : (
            <PlainArguments args={shown.args} />
          )}
          <CallContext opened={shown.opened} same={question === null ? [] : ['tool', 'agent']} quiet />
        </>
      )}
      <details className="cs-details">
        <summary>{label}</summary>
        <OptionalReading>
          <JsonView value={shown.args} label="Arguments" />
          {details}
        </OptionalReading>
      </details>
      <EndOfCard />
    </div>
  )
}

/** Whether a preview is complete; a partial one would repeat text that the arguments show in full. */
function showsEverything(preview: Preview): boolean {
  if (preview.kind === 'diff') return preview.folded === 0
  return preview.kind !== 'files' || preview.changes.every(({ folded }) => folded === 0)
}

function openedOf(view: NonNullable<Approval['view']>): OpenedView | null {
  const held = verifyView(view)
  return held.kind === 'opened' ? held.opened : null
}

function coveredOf(plain: Asked): { readonly plain: Asked; readonly masked: Asked; readonly secrets: number } {
  if (plain.opened !== null) {
    const opened = maskView(plain.opened)
    return { plain, masked: { args: opened.body.call.args, description: null, opened }, secrets: opened.secrets }
  }
  const args = maskJson(plain.args)
  const description = plain.description === null ? null : maskText(plain.description).value
  return { plain, masked: { args: args.value as JsonObject, description, opened: null }, secrets: args.secrets }
}
