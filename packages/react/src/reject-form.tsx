import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Rejecting takes a reason that the agent will read; none is needed. */
export function RejectForm({
  label,
  onReject,
  onCancel,
}: {
  readonly label: string
  readonly onReject: (reason: string) => void
  readonly onCancel: () => void
}): ReactNode {
  const [reason, setReason] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <form
      className="cs-rejecting"
      aria-label="Reject"
      onSubmit={(event) => {
        event.preventDefault()
        onReject(reason.trim())
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
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Back
        </button>
        <button type="submit" className="cs-button cs-danger">
          {label}
        </button>
      </div>
    </form>
  )
}
