import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { service } from '../api/service.ts'
import { browserKey } from '../approvals/context.ts'
import { hasSignedOut, tellSignedIn, waitForSignIn } from '../session/session.ts'
import { SIGN_IN, spendTicket, ticketIn, useTicket } from '../session/sign-in-ticket.ts'

/** Exchanges a one-time ticket, from the URL or pasted, for a cookie. */
export function SignInPage(): ReactNode {
  const [path, go] = useLocation()
  const queries = useQueryClient()
  const ticket = useTicket()
  const signIn = useMutation({
    mutationFn: service.signIn,
    async onSuccess() {
      tellSignedIn()
      await queries.resetQueries()
      if (path === SIGN_IN) go('/', { replace: true })
    },
  })
  useEffect(waitForSignIn, [])
  const { mutate } = signIn
  useEffect(() => {
    if (ticket === null) return
    const unspent = spendTicket()
    if (unspent !== null) mutate(unspent)
  }, [ticket, mutate])
  return (
    <div className="cs-root sign-in">
      <main className="sign-in-box">
        <img src="/icon.svg" alt="" width="48" height="48" />
        <h1>Countersign</h1>
        {ticket !== null || signIn.isPending || signIn.isSuccess ? (
          <p role="status">Signing in…</p>
        ) : (
          <>
            {signIn.error !== null && (
              <p className="cs-bad" role="alert">
                {signIn.error.message}
              </p>
            )}
            {hasSignedOut() ? <SignedOut /> : <p>You are not signed in.</p>}
            <p>To sign in{hasSignedOut() ? ' again' : ''}, run this on the machine where the service runs:</p>
            <pre className="command">countersign inbox</pre>
            <p className="cs-dim">
              It prints a link that works once, for 30 seconds. Open the link in this browser or paste it here.
            </p>
            <TicketForm onTicket={mutate} />
          </>
        )}
      </main>
    </div>
  )
}

/** For an installed inbox, which has no address bar. */
function TicketForm({ onTicket }: { readonly onTicket: (ticket: string) => void }): ReactNode {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      className="ticket-form"
      aria-label="Sign in"
      onSubmit={(event) => {
        event.preventDefault()
        const ticket = ticketIn(text)
        setWrong(ticket === null)
        if (ticket !== null) onTicket(ticket)
      }}
    >
      <label>
        <span>Link</span>
        <input
          className="cs-input cs-mono"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="cs-button cs-primary" disabled={text.trim() === ''}>
        Sign in
      </button>
      {isWrong && (
        <p className="cs-bad" role="alert">
          That is not a sign-in link. Paste the whole link from the terminal.
        </p>
      )}
    </form>
  )
}

/** Tells that the key stays enrolled after signing out. */
function SignedOut(): ReactNode {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    browserKey().then(
      (key) => setId(key.keyId),
      () => {},
    )
  }, [])
  return (
    <div role="status">
      <p>
        <b>You are signed out</b> in all tabs of this browser.
      </p>
      <p className="cs-dim">
        Its key stays enrolled but can’t be used until you sign in. To remove it, run{' '}
        <code>countersign approvers remove {id ?? '…'}</code>
      </p>
    </div>
  )
}
