import { agoWords, dateWords, Safe, Ticked, useServerNow } from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { service, type ToldGrant } from '../api/service.ts'
import { ArgumentLine } from '../grants/argument-line.tsx'
import { leftWords, scopeWords } from '../grants/grant-text.ts'

/** What was granted, how much of it is left, and the way to take it back at once. */
export function GrantsPage(): ReactNode {
  const now = useServerNow()
  const queries = useQueryClient()
  const grants = useQuery({ queryKey: ['grants'], queryFn: service.grants, refetchInterval: 10_000 })
  const revoke = useMutation({
    mutationFn: service.revoke,
    onSettled: () => queries.invalidateQueries({ queryKey: ['grants'] }),
  })
  const living = (grants.data?.grants ?? []).filter(
    (grant) => grant.lifetime.kind !== 'until' || grant.lifetime.at > now,
  )
  return (
    <div className="page">
      <h1 className="page-title">Grants</h1>
      <p className="cs-dim">
        A grant lets equal calls run without asking. Deny rules and manual supervision stand above it.
      </p>
      {grants.error !== null && <p className="cs-bad">{grants.error.message}</p>}
      {revoke.error !== null && (
        <p className="cs-bad" role="alert">
          {revoke.error.message}
        </p>
      )}
      {grants.data !== undefined && living.length === 0 && <p>No grant is in force.</p>}
      <ul className="cards">
        {living.map((grant) => (
          <li key={grant.id} className="grant">
            <Granted grant={grant} now={now} />
            <span className="grant-left">{leftWords(grant, now)}</span>
            <button
              type="button"
              className="cs-button"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(grant.id)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What was granted: the scope, the call it was given for, to whom, by whom, until when. */
function Granted({ grant, now }: { readonly grant: ToldGrant; readonly now: number }): ReactNode {
  const { from, scope, lifetime, call } = grant
  return (
    <div>
      <p className="grant-scope">
        <Ticked text={scopeWords(grant)} />
      </p>
      {from !== null && (
        <p className="grant-from">
          {scope.kind === 'exact' && from.args !== null ? (
            <ArgumentLine args={from.args} />
          ) : (
            <>
              <span className="cs-dim">given for: </span>
              <Ticked text={from.summary} />
            </>
          )}
        </p>
      )}
      {from === null && scope.kind === 'exact' && (
        <p className="grant-from cs-dim">The journal no longer says which; revoke it if you do not know.</p>
      )}
      <p className="cs-dim">
        <Safe
          text={`for ${grant.agent.join(' › ')}, given by ${grant.givenBy} ${agoWords(now - grant.givenAt)}, used ${grant.uses} ${grant.uses === 1 ? 'time' : 'times'}${lifetime.kind === 'until' ? `, until ${dateWords(lifetime.at)}` : ''}`}
        />{' '}
        {call !== null && <Link href={`/history?call=${encodeURIComponent(call)}`}>The call</Link>}
      </p>
    </div>
  )
}
