import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type JsonObject, maskJson, maskText, maskView, type OpenedView, type Preview } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { openHeld } from '../call/verified-view.ts'
import { AgentWords } from '../card/agent-words.tsx'
import { CoveredSecrets } from '../card/reveal-secrets.tsx'
import { WhatIsKnown } from '../card/what-is-known.tsx'
import { PreviewView } from '../preview/preview-view.tsx'
import { PartArguments } from '../preview/tool-part-arguments.tsx'
import { JsonView } from '../preview/value-view.tsx'
import { EndOfBody, ReadAlready } from '../text/reading-progress.tsx'
import { Safe } from '../text/safe-text.tsx'
import type { Approval } from './approval.ts'

/** What is asked about, as it is shown. */
interface Asked {
  readonly args: JsonObject
  readonly description: string | null
  /** Null for a part, of which nothing more is known. */
  readonly opened: OpenedView | null
}

/** What the dialog shows of a call: tool and arguments; of a held one its picture, as on a card, and what is known of it. */
export function DialogBody({
  approval,
  label,
  details,
}: {
  readonly approval: Approval
  /** The word on the details. */
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
  return (
    <div className="cs-dialog-body">
      <AlertDialog.Description className="cs-dialog-tool" render={<p />}>
        <span className="cs-hidden">The tool </span>
        <code>
          <Safe text={tool} />
        </code>
      </AlertDialog.Description>
      <CoveredSecrets secrets={secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
      {shown.opened === null ? (
        <>
          <PartArguments args={shown.args} />
          <AgentWords who="server" text={shown.description} />
        </>
      ) : (
        <>
          {isWhole(shown.opened.view.preview) ? (
            <PreviewView opened={shown.opened} />
          ) : (
            <PartArguments args={shown.args} />
          )}
          <WhatIsKnown opened={shown.opened} />
        </>
      )}
      <details className="cs-details">
        <summary>{label}</summary>
        <ReadAlready>
          <JsonView value={shown.args} label="Arguments" />
          {details}
        </ReadAlready>
      </details>
      <EndOfBody />
    </div>
  )
}

/** Whether a picture holds every line: one that leaves some out would stand beside the same text once more, in full. */
function isWhole(preview: Preview): boolean {
  if (preview.kind === 'diff') return preview.folded === 0
  return preview.kind !== 'files' || preview.changes.every(({ folded }) => folded === 0)
}

function openedOf(view: NonNullable<Approval['view']>): OpenedView | null {
  const held = openHeld(view)
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
