import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useArmed } from './use-armed.ts'

/**
 * Asks for an optional reason, which the agent reads. SECURITY: A5 the form arms first, so that the press that opened
 * it does not submit it.
 */
export function RejectForm({
  label,
  reason: begun = '',
  onWrite,
  onReject,
  onCancel,
}: {
  readonly label: string
  /** The saved draft. */
  readonly reason?: string
  /** Called on every change of the reason. */
  readonly onWrite?: (reason: string) => void
  readonly onReject: (reason: string) => void
  readonly onCancel: () => void
}): ReactNode {
  const [reason, setReason] = useState(begun)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const armed = useArmed('reject')
  const isReady = armed || (reason.trim() !== '' && reason !== begun)
  return (
    <form
      className="cs-rejecting"
      aria-label="Reject"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onReject(reason.trim())
      }}
    >
      <label className="cs-grow">
        <span>Reason for the agent (optional)</span>
        <input
          ref={input}
          className="cs-input"
          maxLength={500}
          placeholder="What should it do instead?"
          value={reason}
          onChange={(event) => {
            setReason(event.target.value)
            onWrite?.(event.target.value)
          }}
        />
      </label>
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="cs-button cs-danger" disabled={!isReady}>
          {label}
        </button>
      </div>
    </form>
  )
}
