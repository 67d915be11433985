import { errorMessageIn, openBrowserKey } from '@countersign/react'
import { type FormEvent, type ReactNode, useState } from 'react'

/** Enrols the key of this page, once, with a code from `countersign approvers add`. */
export function Enrol(): ReactNode {
  const [words, setWords] = useState('')

  async function enrol(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const { name, code } = Object.fromEntries(new FormData(event.currentTarget))
    const { publicKey } = await openBrowserKey()
    const answer = await fetch('/api/v1/approvers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, code, publicKey }),
    })
    setWords(answer.ok ? 'Enrolled.' : (errorMessageIn(await answer.json()) ?? 'The service did not respond.'))
  }

  return (
    <form onSubmit={(event) => void enrol(event)}>
      <label>
        Name <input name="name" />
      </label>
      <label>
        Code <input name="code" autoComplete="off" />
      </label>
      <button type="submit" className="cs-button">
        Enroll this page
      </button>
      <p role="status">{words}</p>
    </form>
  )
}
