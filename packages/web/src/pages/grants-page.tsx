import {
  countedWords,
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

/** The active grants, each with a button to revoke it. */
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
        A grant lets matching calls run without asking. Deny rules and manual supervision still apply.
      </p>
      {grants.error !== null && <p className="cs-bad">{grants.error.message}</p>}
      {revoke.error !== null && (
        <p className="cs-bad" role="alert">
          {revoke.error.message}
        </p>
      )}
      {grants.data !== undefined && living.length === 0 && <p>No active grants.</p>}
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

/** A grant: its scope, the call it was given for, agent, approver and expiry. */
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
              <span className="cs-dim">granted for: </span>
              <InlineCode text={from.summary} />
            </>
          )}
        </p>
      )}
      {from === null && scope.kind === 'exact' && (
        <p className="grant-from cs-dim">
          The call it was granted for is no longer in the journal. If in doubt, revoke it.
        </p>
      )}
      <p className="cs-dim">
        <SafeTextView
          text={`for ${grant.agent.join(' › ')}, granted by ${grant.givenBy} ${formatAgo(now - grant.givenAt)}, used ${countedWords(grant.uses, 'time')}${lifetime.kind === 'until' ? `, until ${formatDateTime(lifetime.at)}` : ''}`}
        />{' '}
        {call !== null && <Link href={`/history?call=${encodeURIComponent(call)}`}>View call</Link>}
      </p>
    </div>
  )
}

const LONGEST = 240

/** Masked arguments in a line or two, truncated. */
function ArgumentLine({ args }: { readonly args: JsonObject }): ReactNode {
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
