import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useArmed } from './use-armed.ts'

/**
 * Rejecting takes a reason that the agent will read; none is needed. SECURITY: A5 without one it must have stood for a
 * moment: the press that opened it does not hand it in.
 */
export function RejectForm({
  label,
  reason: begun = '',
  onWrite,
  onReject,
  onCancel,
}: {
  readonly label: string
  /** What was written before. */
  readonly reason?: string
  /** Hears every change of the reason. */
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
        <span>Reason, for the agent (optional)</span>
        <input
          ref={input}
          className="cs-input"
          maxLength={500}
          placeholder="what it should do instead"
          value={reason}
          onChange={(event) => {
            setReason(event.target.value)
            onWrite?.(event.target.value)
          }}
        />
      </label>
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Back
        </button>
        <button type="submit" className="cs-button cs-danger" disabled={!isReady}>
          {label}
        </button>
      </div>
    </form>
  )
}
