import { type ReactNode, useEffect, useRef } from 'react'
import { CodeWords, EnrolForm } from './enrol-form.tsx'

/** Adds a passkey of this device, whatever others there are: a passkey of another device cannot be used here. */
export function PasskeyDialog({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} className="help" aria-labelledby="passkey-title" onClose={close}>
      <h2 id="passkey-title" className="help-title">
        Add a passkey of this device
      </h2>
      {isOpen && (
        <EnrolForm browserKey={null} onDone={close}>
          <p>
            <CodeWords />
          </p>
        </EnrolForm>
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={close}>
          Back
        </button>
      </div>
    </dialog>
  )
}
