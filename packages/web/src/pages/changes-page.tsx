import { countedWords, DiffView, maskJson, SafeTextView, type UnseenFilePreview } from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ChangedFile, type ChangedWorkspace, service } from '../api/service.ts'

const WORDS: Readonly<Record<string, string>> = { written: 'changed', deleted: 'deleted', moved: 'moved' }

/** Files that agents changed and nobody has seen, by workspace, each with its diff. */
export function ChangesPage(): ReactNode {
  const queries = useQueryClient()
  const changes = useQuery({ queryKey: ['changes'], queryFn: service.changes, refetchInterval: 10_000 })
  const mark = useMutation({
    mutationFn: service.markSeen,
    onSettled: () => queries.invalidateQueries({ queryKey: ['changes'] }),
  })
  return (
    <div className="page">
      <h1 className="page-title">Changes</h1>
      <p className="cs-dim">
        Files that agents changed since a person last saw their content. A command that could run them asks, unless it
        runs in the sandbox.
      </p>
      {changes.error !== null && <p className="cs-bad">{changes.error.message}</p>}
      {mark.error !== null && (
        <p className="cs-bad" role="alert">
          {mark.error.message}
        </p>
      )}
      {changes.data?.workspaces.length === 0 && <p>No unseen changes.</p>}
      {changes.data?.workspaces.map((one) => (
        <Workspace key={one.workspace} changed={one} isBusy={mark.isPending} onSeen={mark.mutate} />
      ))}
    </div>
  )
}

type Seen = Parameters<typeof service.markSeen>[0]

function Workspace({
  changed,
  isBusy,
  onSeen,
}: {
  readonly changed: ChangedWorkspace
  readonly isBusy: boolean
  readonly onSeen: (seen: Seen) => void
}): ReactNode {
  const { workspace, everything, files, more } = changed
  return (
    <section aria-label={`Changes in ${workspace}`}>
      <h2 className="change-workspace">
        <code>
          <SafeTextView text={workspace} />
        </code>
        <button type="button" className="cs-button" disabled={isBusy} onClick={() => onSeen({ workspace, all: true })}>
          Mark all as seen
        </button>
      </h2>
      {everything !== null && (
        <p className="cs-bad">
          All files count as unseen: <SafeTextView text={everything} />
        </p>
      )}
      <ul className="cards">
        {files.map((file) => (
          <File
            key={`${file.path} ${file.content}`}
            file={file}
            workspace={workspace}
            isBusy={isBusy}
            onSeen={onSeen}
          />
        ))}
      </ul>
      {more > 0 && <p className="cs-dim">and {countedWords(more, 'more file')}</p>}
    </section>
  )
}

function File({
  file,
  workspace,
  isBusy,
  onSeen,
}: {
  readonly file: ChangedFile
  readonly workspace: string
  readonly isBusy: boolean
  readonly onSeen: (seen: Seen) => void
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { path, content, agent, call, kind, backup } = file
  const diff = useQuery({
    queryKey: ['changes', workspace, path, content],
    queryFn: () => service.changeDiff(workspace, path),
    enabled: isOpen,
  })
  const shown = diff.data?.diff ?? null
  return (
    <li className="change">
      <div className="change-head">
        <div>
          <code className="change-path">
            <SafeTextView text={path} />
          </code>
          <p className="cs-dim">
            {WORDS[kind] ?? kind}
            {agent !== '' && <SafeTextView text={` by ${agent}`} />}{' '}
            {call !== '' && <Link href={`/history?call=${encodeURIComponent(call)}`}>View call</Link>}
          </p>
        </div>
        <button type="button" className="cs-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide diff' : 'Show diff'}
        </button>
        <button
          type="button"
          className="cs-button"
          disabled={isBusy}
          onClick={() => onSeen({ workspace, files: [{ path, content: shown?.content ?? content }] })}
        >
          Mark as seen
        </button>
      </div>
      {isOpen && diff.error !== null && <p className="cs-bad">{diff.error.message}</p>}
      {isOpen && shown !== null && <DiffView preview={masked(shown)} />}
      {isOpen && backup !== null && (
        <p className="cs-dim">
          To restore what you saw last, run <code>countersign changes undo</code> in this folder.
        </p>
      )}
    </li>
  )
}

/** Secrets are masked, as on a card. */
function masked(diff: UnseenFilePreview): UnseenFilePreview {
  return maskJson({ ...diff } as never).value as unknown as UnseenFilePreview
}
