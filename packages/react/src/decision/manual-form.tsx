import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useArmed } from './use-armed.ts'

/** Approval under manual supervision: asks to type the code beside the field, and a reason. */
export function ManualForm({
  code,
  edited,
  blocked,
  reason: begun = '',
  onWrite,
  onApprove,
  onCancel,
}: {
  readonly code: string
  readonly edited: boolean
  readonly blocked: string | null
  /** The saved draft. */
  readonly reason?: string
  /** Called on every change of the reason. */
  readonly onWrite?: (reason: string) => void
  readonly onApprove: (code: string, reason: string) => void
  readonly onCancel: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState(begun)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const armed = useArmed(`manual ${code}`)
  const isCode = typed.trim().toLowerCase() === code
  const canApprove = armed && isCode && reason.trim() !== '' && blocked === null
  return (
    <form
      className="cs-manual"
      aria-label="Manual approval"
      onSubmit={(event) => {
        event.preventDefault()
        if (canApprove) onApprove(code, reason.trim())
      }}
    >
      <h3 className="cs-heading">Manual approval: type the code and give a reason</h3>
      <div className="cs-manual-fields">
        <label>
          <span>
            Type <b className="cs-the-code">{code}</b>
          </span>
          <input
            ref={input}
            className="cs-input cs-mono cs-code-input"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={8}
            aria-invalid={typed.length >= code.length && !isCode}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <label className="cs-grow">
          <span>Reason</span>
          <input
            className="cs-input"
            maxLength={500}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
              onWrite?.(event.target.value)
            }}
          />
        </label>
      </div>
      {typed.length >= code.length && !isCode && (
        <p className="cs-bad" role="alert">
          Wrong code. Type {code}.
        </p>
      )}
      {blocked !== null && <p className="cs-bad">{blocked}</p>}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="cs-button cs-primary" disabled={!canApprove}>
          {edited ? 'Approve the edited call' : 'Approve'}
        </button>
      </div>
    </form>
  )
}
