import type { BrowserKey } from '@countersign/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { enrolPasskey } from './passkey.ts'
import { service } from './service.ts'

/** This browser's key, or a passkey of its owner, becomes one that may decide: with a code from a terminal. */
export function EnrolBanner({
  browserKey,
  isEnrolled,
}: {
  readonly browserKey: BrowserKey
  readonly isEnrolled: boolean
}): ReactNode {
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const queries = useQueryClient()
  const enrol = useMutation({
    mutationFn: (what: 'key' | 'passkey') =>
      what === 'key'
        ? service.enrol(name.trim(), browserKey.publicKey, code.trim())
        : enrolPasskey(name.trim(), code.trim()),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  })
  const isReady = name.trim() !== '' && code.trim() !== '' && !enrol.isPending
  return (
    <form
      className="enrol"
      aria-label="Enrol"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) enrol.mutate(isEnrolled ? 'passkey' : 'key')
      }}
    >
      <p>
        <b>{isEnrolled ? 'Add a passkey.' : 'This browser may look, but not decide.'}</b> Run{' '}
        <code>countersign approvers add</code> in a terminal, and type the code it prints.{' '}
        {!isEnrolled && 'The key never leaves this browser.'}
      </p>
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
        {!isEnrolled && (
          <button type="submit" className="cs-button cs-primary" disabled={!isReady}>
            Enrol this browser
          </button>
        )}
        <button type="button" className="cs-button" disabled={!isReady} onClick={() => enrol.mutate('passkey')}>
          Enrol a passkey
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
