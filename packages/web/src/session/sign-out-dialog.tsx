import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { signOut } from './session.ts'

/** Signs out, and says before what that ends and what it leaves. */
export function SignOutDialog({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const leaving = useMutation({ mutationFn: signOut })
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} className="help" aria-labelledby="sign-out-title" onClose={close}>
      <h2 id="sign-out-title" className="help-title">
        Sign out of this browser?
      </h2>
      <p>Every tab of it stops showing what is held. Held calls stay held, and grants stay in force.</p>
      <p className="cs-dim">This browser’s key stays enrolled: after signing in again it may decide.</p>
      {leaving.error !== null && (
        <p className="cs-bad" role="alert">
          Still signed in: {leaving.error.message}
        </p>
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={close}>
          Stay
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
    </dialog>
  )
}
