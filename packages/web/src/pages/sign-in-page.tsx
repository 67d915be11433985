import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { browserKey } from '../desk.ts'
import { service } from '../service.ts'
import { hasSignedOut, tellSignedIn } from '../session.ts'

/** Exchanges the one-time ticket of the address for a cookie; without one, says where to get it. */
export function SignInPage(): ReactNode {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(() => ticketOf(location) !== null)
  const [, go] = useLocation()
  const queries = useQueryClient()
  const used = useRef(false)
  useEffect(() => {
    const ticket = ticketOf(location)
    if (ticket === null || used.current) return
    used.current = true
    // The ticket leaves the address bar and the history before anything else.
    history.replaceState(null, '', '/sign-in')
    service.signIn(ticket).then(
      async () => {
        tellSignedIn()
        await queries.resetQueries()
        go('/', { replace: true })
      },
      (error: unknown) => {
        setBusy(false)
        setProblem(error instanceof Error ? error.message : 'signing in failed')
      },
    )
  }, [queries, go])
  return (
    <div className="cs-root sign-in">
      <main className="sign-in-box">
        <img src="/icon.svg" alt="" width="48" height="48" />
        <h1>Countersign</h1>
        {isBusy ? (
          <p role="status">Signing in…</p>
        ) : (
          <>
            {problem !== null && (
              <p className="cs-bad" role="alert">
                {problem}
              </p>
            )}
            {hasSignedOut() ? <SignedOut /> : <p>You are not signed in.</p>}
            <p>{hasSignedOut() ? 'To sign in again, in' : 'In'} a terminal on the machine where the service runs:</p>
            <pre className="command">countersign inbox</pre>
            <p className="cs-dim">It prints an address that works once, for half a minute. Open it here.</p>
          </>
        )}
      </main>
    </div>
  )
}

/** What signing out has left: the key, which is worth nothing without a sign-in. */
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
        <b>You are signed out</b>, in every tab of this browser.
      </p>
      <p className="cs-dim">
        Its key stays enrolled, and cannot be used without signing in. To take it away as well:{' '}
        <code>countersign approvers remove {id ?? '…'}</code>
      </p>
    </div>
  )
}

/** Whether the address carries a ticket: then signing in comes before everything else. */
export function hasTicket(): boolean {
  return ticketOf(location) !== null
}

function ticketOf({ hash, search }: Location): string | null {
  return new URLSearchParams(hash.slice(1)).get('ticket') ?? new URLSearchParams(search).get('ticket')
}
