import { countedWords, SafeTextView } from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import { type ChangedFile, type ChangedWorkspace, service } from '../api/service.ts'
import { type ChangeActions, ChangedFileRow } from '../changes/changed-file.tsx'

/** Files that agents changed and nobody has seen, by workspace and agent, each with its diff. */
export function ChangesPage(): ReactNode {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const changes = useQuery({ queryKey: ['changes'], queryFn: service.changes, refetchInterval: 10_000 })
  const onSettled = (): Promise<void> => queries.invalidateQueries({ queryKey: ['changes'] })
  const mark = useMutation({ mutationFn: service.markSeen, onSettled })
  const undo = useMutation({
    mutationFn: service.undoChange,
    onSettled,
    onSuccess: ({ call }) => navigate(`/held/${encodeURIComponent(call)}`),
  })
  const actions = { isBusy: mark.isPending || undo.isPending, onSeen: mark.mutate, onUndo: undo.mutate }
  const error = mark.error ?? undo.error
  return (
    <div className="page">
      <h1 className="page-title">Changes</h1>
      <p className="cs-dim">
        Files that agents changed since a person last saw their content. A command that could run them asks, unless it
        runs in the sandbox. Undoing a change asks for your approval.
      </p>
      {changes.error !== null && <p className="cs-bad">{changes.error.message}</p>}
      {error !== null && (
        <p className="cs-bad" role="alert">
          {error.message}
        </p>
      )}
      {changes.data?.workspaces.length === 0 && <p>No unseen changes.</p>}
      {changes.data?.workspaces.map((one) => (
        <Workspace key={one.workspace} changed={one} actions={actions} />
      ))}
    </div>
  )
}

function Workspace({
  changed,
  actions,
}: {
  readonly changed: ChangedWorkspace
  readonly actions: ChangeActions
}): ReactNode {
  const { workspace, everything, files, more } = changed
  const groups = useMemo(() => groupByAgent(files), [files])
  return (
    <section className="changes" aria-label={`Changes in ${workspace}`}>
      <header className="change-workspace">
        <h2>
          <code>
            <SafeTextView text={workspace} />
          </code>
        </h2>
        <button
          type="button"
          className="cs-button"
          disabled={actions.isBusy}
          onClick={() => actions.onSeen({ workspace, all: true })}
        >
          Mark all as seen
        </button>
      </header>
      {everything !== null && (
        <p className="cs-bad">
          All files count as unseen: <SafeTextView text={everything} />
        </p>
      )}
      {groups.map(([agent, changedFiles]) => (
        <section key={agent} className="change-group" aria-label={`Changes by ${agent}`}>
          <h3 className="cs-dim">
            <SafeTextView text={agent} /> · {countedWords(changedFiles.length, 'file')}
          </h3>
          <ul className="cards">
            {changedFiles.map((file) => (
              <ChangedFileRow
                key={`${file.path} ${file.content}`}
                file={file}
                workspace={workspace}
                actions={actions}
              />
            ))}
          </ul>
        </section>
      ))}
      {more > 0 && <p className="cs-dim">and {countedWords(more, 'more file')}</p>}
    </section>
  )
}

/** Files by the agent that changed them last, in the order of the alphabet. */
function groupByAgent(files: readonly ChangedFile[]): readonly (readonly [string, readonly ChangedFile[]])[] {
  const groups = Map.groupBy(files, ({ agent }) => (agent === '' ? 'Unknown agent' : agent))
  return [...groups].sort(([one], [other]) => one.localeCompare(other))
}
