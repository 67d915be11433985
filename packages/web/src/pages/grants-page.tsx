import {
  formatAgo,
  formatDateTime,
  InlineCode,
  type JsonObject,
  maskJson,
  SafeTextView,
  useServerNow,
} from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { type ListedGrant, service } from '../api/service.ts'
import { grantLeftText, grantScopeText } from '../grants/grant-text.ts'

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
            <span className="grant-left">{grantLeftText(grant, now)}</span>
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
function Granted({ grant, now }: { readonly grant: ListedGrant; readonly now: number }): ReactNode {
  const { from, scope, lifetime, call } = grant
  return (
    <div>
      <p className="grant-scope">
        <InlineCode text={grantScopeText(grant)} />
      </p>
      {from !== null && (
        <p className="grant-from">
          {scope.kind === 'exact' && from.args !== null ? (
            <ArgumentLine args={from.args} />
          ) : (
            <>
              <span className="cs-dim">given for: </span>
              <InlineCode text={from.summary} />
            </>
          )}
        </p>
      )}
      {from === null && scope.kind === 'exact' && (
        <p className="grant-from cs-dim">The journal no longer says which; revoke it if you do not know.</p>
      )}
      <p className="cs-dim">
        <SafeTextView
          text={`for ${grant.agent.join(' › ')}, given by ${grant.givenBy} ${formatAgo(now - grant.givenAt)}, used ${grant.uses} ${grant.uses === 1 ? 'time' : 'times'}${lifetime.kind === 'until' ? `, until ${formatDateTime(lifetime.at)}` : ''}`}
        />{' '}
        {call !== null && <Link href={`/history?call=${encodeURIComponent(call)}`}>The call</Link>}
      </p>
    </div>
  )
}

const LONGEST = 240

/** Arguments in a line or two, so that two calls of a tool can be told apart; what is longer ends in `…`. */
export function ArgumentLine({ args }: { readonly args: JsonObject }): ReactNode {
  const text = useMemo(() => {
    const { value } = maskJson(args)
    const all = Object.entries(value as JsonObject)
      .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
      .join(' · ')
    return all.length > LONGEST ? `${all.slice(0, LONGEST).toWellFormed()}…` : all
  }, [args])
  if (text === '') return null
  return (
    <code className="argument-line">
      <SafeTextView text={text} />
    </code>
  )
}
