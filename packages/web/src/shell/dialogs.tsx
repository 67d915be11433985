import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { usePreferences } from '../preferences/preferences.ts'
import { signOut } from '../session/session.ts'
import { EnrolForm, EnrolmentCodeHint } from '../signing/enrol-form.tsx'

interface DialogProps {
  readonly isOpen: boolean
  readonly close: () => void
}

function Modal({
  title,
  isOpen,
  close,
  children,
}: DialogProps & { readonly title: string; readonly children: ReactNode }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} className="help" aria-label={title} onClose={close}>
      <h2 className="help-title">{title}</h2>
      {children}
    </dialog>
  )
}

const SHORTCUTS = [
  ['/', 'search held calls'],
  ['J', 'next call'],
  ['K', 'previous call'],
  ['A', 'approve a call or a batch; press it twice for high and critical risk'],
  ['R', 'reject a call or a batch, with a reason'],
  ['E', 'edit the arguments'],
  ['Esc', 'go back'],
  ['⌘K', 'or Ctrl-K: go to a page, held call or setting'],
  ['?', 'show this help'],
] as const

/** The keyboard shortcuts, and the switch that turns single keys off. */
export function HelpDialog({ isOpen, close }: DialogProps): ReactNode {
  const { keys, setKeys } = usePreferences()
  return (
    <Modal title="Keyboard shortcuts" isOpen={isOpen} close={close}>
      <dl className="help-keys">
        {SHORTCUTS.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <p className="cs-dim">Shortcuts apply to the open call, once it has been on screen for a moment.</p>
      <label className="cs-choice">
        <input type="checkbox" checked={keys} onChange={(event) => setKeys(event.target.checked)} />
        Single-key shortcuts. When off, only Esc and ⌘K work.
      </label>
      <button type="button" className="cs-button" onClick={close}>
        Close
      </button>
    </Modal>
  )
}

/** Adds a passkey for this device, even if others exist: a passkey of another device cannot be used here. */
export function PasskeyDialog({ isOpen, close }: DialogProps): ReactNode {
  return (
    <Modal title="Add a passkey for this device" isOpen={isOpen} close={close}>
      {isOpen && (
        <EnrolForm browserKey={null} onDone={close}>
          <p>
            <EnrolmentCodeHint />
          </p>
        </EnrolForm>
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={close}>
          Cancel
        </button>
      </div>
    </Modal>
  )
}

/** Confirms signing out, and tells what ends and what stays. */
export function SignOutDialog({ isOpen, close }: DialogProps): ReactNode {
  const leaving = useMutation({ mutationFn: signOut })
  return (
    <Modal title="Sign out of this browser?" isOpen={isOpen} close={close}>
      <p>All its tabs sign out, and its notifications end. Held calls stay held, and grants stay active.</p>
      <p className="cs-dim">This browser’s key stays enrolled, so you can decide again after you sign in.</p>
      {leaving.error !== null && (
        <p className="cs-bad" role="alert">
          You are still signed in: {leaving.error.message}
        </p>
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="cs-button cs-primary"
          disabled={leaving.isPending}
          onClick={() => leaving.mutate()}
        >
          Sign out
        </button>
      </div>
    </Modal>
  )
}
