import { countedWords, OwnView, SafeTextView } from '@countersign/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { type PlannedUndo, service } from '../api/service.ts'

type Asked = Parameters<typeof service.planUndo>[0]

/** Undoing the file changes of a past call, or of everything since; nothing if no copy was kept. */
export function UndoCall({ call }: { readonly call: string }): ReactNode {
  const undoable = useQuery({ queryKey: ['undoable'], queryFn: service.undoable, staleTime: 10_000 })
  const [asked, setAsked] = useState<Asked | null>(null)
  if (undoable.data?.calls.some((one) => one.call === call) !== true) return null
  return (
    <>
      <div className="undo-actions">
        <button type="button" className="cs-button" onClick={() => setAsked({ calls: [call] })}>
          Undo…
        </button>
        <button type="button" className="cs-button" onClick={() => setAsked({ since: call })}>
          Undo this and everything since…
        </button>
      </div>
      {asked !== null && <UndoPlan key={JSON.stringify(asked)} asked={asked} onCancel={() => setAsked(null)} />}
    </>
  )
}

/** What comes back, as a diff for each file; asking creates a held call for exactly this. */
function UndoPlan({ asked, onCancel }: { readonly asked: Asked; readonly onCancel: () => void }): ReactNode {
  const plan = useQuery({ queryKey: ['undo-plan', asked], queryFn: () => service.planUndo(asked), gcTime: 0 })
  const [, navigate] = useLocation()
  const undo = useMutation({
    mutationFn: service.undo,
    onSuccess: ({ call }) => navigate(`/held/${encodeURIComponent(call)}`),
  })
  const error = plan.error ?? undo.error
  return (
    <section className="undo-plan" aria-label="What comes back">
      {error !== null && (
        <p className="cs-bad" role="alert">
          {error.message}
        </p>
      )}
      {plan.data !== undefined && (
        <Planned plan={plan.data} isBusy={undo.isPending} onUndo={undo.mutate} onCancel={onCancel} />
      )}
    </section>
  )
}

const DOES = { change: 'restore', 'bring-back': 'recreate', remove: 'remove' } as const
const SINCE = { same: '', changed: ' (changed since)', unknown: ' (possibly changed since)' } as const

function Planned({
  plan,
  isBusy,
  onUndo,
  onCancel,
}: {
  readonly plan: PlannedUndo
  readonly isBusy: boolean
  readonly onUndo: (asked: Parameters<typeof service.undo>[0]) => void
  readonly onCancel: () => void
}): ReactNode {
  const { calls, steps, more, left, preview } = plan
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [force, setForce] = useState(false)
  if (steps.length === 0) return <p>Nothing to undo: the files are unchanged.</p>
  const chosen = steps.filter(({ path }) => !skipped.has(path))
  const isChanged = chosen.some(({ since }) => since !== 'same')
  const only = skipped.size === 0 ? {} : { only: chosen.map(({ path }) => path) }
  function toggle(path: string): void {
    const next = new Set(skipped)
    if (!next.delete(path)) next.add(path)
    setSkipped(next)
  }
  return (
    <>
      <OwnView preview={preview} />
      <fieldset className="undo-files">
        <legend>
          {countedWords(steps.length + more, 'change')} of {countedWords(calls.length, 'call')}
        </legend>
        {steps.map(({ path, name, does, since }) => (
          <label key={path}>
            <input type="checkbox" checked={!skipped.has(path)} disabled={more > 0} onChange={() => toggle(path)} />
            <span>
              {DOES[does]} <SafeTextView text={name} />
              {SINCE[since]}
            </span>
          </label>
        ))}
      </fieldset>
      {left.length > 0 && (
        <p className="cs-dim">{countedWords(left.length, 'file')} created by something else will be kept.</p>
      )}
      {isChanged && (
        <label className="cs-bad">
          <input type="checkbox" checked={force} onChange={() => setForce(!force)} /> Also overwrite later changes
        </label>
      )}
      <div className="undo-actions">
        <button type="button" className="cs-button" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          className="cs-button"
          disabled={isBusy || chosen.length === 0 || (isChanged && !force)}
          onClick={() => onUndo({ calls, plan: plan.plan, ...only, ...(isChanged ? { force } : {}) })}
        >
          Undo {countedWords(chosen.length + more, 'change')}…
        </button>
        <span className="cs-dim">Asks for your approval.</span>
      </div>
    </>
  )
}
