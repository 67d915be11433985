import type { BrowserKey } from '@countersign/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { service } from '../api/service.ts'
import { enrolPasskey } from './passkey.ts'

/** The form that enrols this browser's key, if there is one to enrol, or a passkey. */
export function EnrolForm({
  browserKey,
  onDone,
  children,
}: {
  readonly browserKey: BrowserKey | null
  readonly onDone?: () => void
  readonly children: ReactNode
}): ReactNode {
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const queries = useQueryClient()
  const enrol = useMutation({
    mutationFn: (key: BrowserKey | null) =>
      key === null
        ? enrolPasskey(name.trim(), code.trim())
        : service.enrol(name.trim(), key.publicKey, code.trim()).then(() => {}),
    async onSuccess() {
      setCode('')
      await queries.invalidateQueries({ queryKey: ['me'] })
      onDone?.()
    },
  })
  const isReady = name.trim() !== '' && code.trim() !== '' && !enrol.isPending
  return (
    <form
      className="enrol"
      aria-label={browserKey === null ? 'Add a passkey' : 'Enroll'}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) enrol.mutate(browserKey)
      }}
    >
      {children}
      <div className="enrol-fields">
        <label>
          <span>Your name</span>
          <input className="cs-input" maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          <span>Code</span>
          <input
            className="cs-input cs-mono"
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        {browserKey !== null && (
          <button type="submit" className="cs-button cs-primary" disabled={!isReady}>
            Enroll this browser
          </button>
        )}
        <button type="button" className="cs-button" disabled={!isReady} onClick={() => enrol.mutate(null)}>
          Enroll a passkey
        </button>
      </div>
      {enrol.error !== null && (
        <p className="cs-bad" role="alert">
          {enrol.error.message}
        </p>
      )}
    </form>
  )
}

/** Tells where the code comes from. */
export function EnrolmentCodeHint(): ReactNode {
  return (
    <>
      Run <code>countersign approvers add</code> in a terminal and enter the code it prints.
    </>
  )
}
