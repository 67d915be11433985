import { type ReactNode, useEffect, useRef } from 'react'
import { usePreferences } from '../preferences/use-preferences.ts'

const KEYS = [
  ['J', 'next call'],
  ['K', 'previous call'],
  ['A', 'approve, also a batch; at high and critical a second time'],
  ['R', 'reject, also a batch, with a reason'],
  ['E', 'edit the arguments'],
  ['Esc', 'back'],
  ['⌘K', 'or Ctrl-K: go to a page, a held call, a setting'],
  ['?', 'this help'],
] as const

/** The keys of the inbox. */
export function HelpDialog({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): ReactNode {
  const { keys, setKeys } = usePreferences()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} className="help" aria-label="Keys" onClose={close}>
      <h2 className="help-title">Keys</h2>
      <dl className="help-keys">
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className="cs-dim">Keys act only on the call in view, and only once it has stood still for a moment.</p>
      <label className="cs-choice">
        <input type="checkbox" checked={keys} onChange={(event) => setKeys(event.target.checked)} />
        Single keys act. Without them only Esc and ⌘K do.
      </label>
      <button type="button" className="cs-button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}
