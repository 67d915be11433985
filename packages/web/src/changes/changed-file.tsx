import { DiffView, maskJson, SafeTextView, type UnseenFilePreview } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ChangedFile, service } from '../api/service.ts'

const WORDS: Readonly<Record<string, string>> = { written: 'Changed', deleted: 'Deleted', moved: 'Moved' }

/** What a person does about changes. */
export interface ChangeActions {
  readonly isBusy: boolean
  readonly onSeen: (seen: Parameters<typeof service.markSeen>[0]) => void
  readonly onUndo: (shown: Parameters<typeof service.undoChange>[0]) => void
}

/** A file with an unseen change: its diff on demand, and the buttons to mark or undo it. */
export function ChangedFileRow({
  file,
  workspace,
  actions,
}: {
  readonly file: ChangedFile
  readonly workspace: string
  readonly actions: ChangeActions
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { path, content, call, kind, backup } = file
  const diff = useQuery({
    queryKey: ['changes', workspace, path, content],
    queryFn: () => service.changeDiff(workspace, path),
    enabled: isOpen,
  })
  const shown = diff.data?.diff ?? null
  // Only the content that is on the page, whatever the file has by now.
  const onPage = { path, content: shown?.content ?? content }
  const { isBusy, onSeen, onUndo } = actions
  return (
    <li className="change">
      <div className="change-head">
        <div className="change-what">
          <code className="change-path">
            <SafeTextView text={path} />
          </code>
          <p className="cs-dim">
            {path.endsWith('/') ? 'Installed code' : (WORDS[kind] ?? kind)}
            {call !== '' && (
              <>
                {' · '}
                <Link href={`/history?call=${encodeURIComponent(call)}`}>View call</Link>
              </>
            )}
          </p>
        </div>
        <div className="change-actions">
          <button type="button" className="cs-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide diff' : 'Show diff'}
          </button>
          {backup !== null && (
            <button
              type="button"
              className="cs-button"
              disabled={isBusy}
              onClick={() => onUndo({ workspace, ...onPage })}
            >
              Undo…
            </button>
          )}
          <button
            type="button"
            className="cs-button"
            disabled={isBusy}
            onClick={() => onSeen({ workspace, files: [onPage] })}
          >
            Mark as seen
          </button>
        </div>
      </div>
      {isOpen && diff.error !== null && <p className="cs-bad">{diff.error.message}</p>}
      {isOpen && shown !== null && <DiffView preview={masked(shown)} />}
    </li>
  )
}

/** Secrets are masked, as on a card. The notes count what is left out. */
function masked(diff: UnseenFilePreview): UnseenFilePreview {
  return maskJson({ ...diff, folded: 0 } as never).value as unknown as UnseenFilePreview
}
