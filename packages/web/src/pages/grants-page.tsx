import { agoWords, type GivenGrant, Safe, spanWords, useServerNow } from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { service } from '../service.ts'

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
            <div>
              <p className="grant-scope">
                <Safe text={scopeWords(grant)} />
              </p>
              <p className="cs-dim">
                <Safe
                  text={`for ${grant.agent.join(' › ')}, given by ${grant.givenBy} ${agoWords(now - grant.givenAt)}, used ${grant.uses} ${grant.uses === 1 ? 'time' : 'times'}`}
                />
              </p>
            </div>
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

function scopeWords({ scope }: GivenGrant): string {
  switch (scope.kind) {
    case 'exact':
      return `exactly these arguments (${scope.grantKey.slice(0, 12)})`
    case 'pattern':
      return `calls that fit ${JSON.stringify(scope.when)}`
    case 'tool':
      return `everything ${scope.server === null ? scope.tool : `${scope.server}/${scope.tool}`} does`
    case 'server':
      return `every tool of ${scope.server}`
  }
}

function leftWords({ lifetime, uses }: GivenGrant, now: number): string {
  switch (lifetime.kind) {
    case 'uses':
      return `${Math.max(0, lifetime.uses - uses)} uses left`
    case 'until':
      return `${spanWords(lifetime.at - now)} left`
    case 'session':
      return 'until its session ends'
  }
}
