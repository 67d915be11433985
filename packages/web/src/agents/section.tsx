import { formatAgo, SafeTextView, useServerNow } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { GatedAgent } from '../api/gated-agent.ts'
import { service } from '../api/service.ts'

/** The coding agents behind the gate, if there are any, and whether each was proven. */
export function AgentsSection(): ReactNode {
  const { data } = useQuery({ queryKey: ['agents'], queryFn: service.agents })
  const agents = data?.agents ?? []
  if (agents.length === 0) return null
  return (
    <section aria-labelledby="agents">
      <h2 id="agents" className="page-heading">
        Coding agents
      </h2>
      <ul className="cards">
        {agents.map((agent) => (
          <li key={agent.host} className="tool">
            <Agent agent={agent} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const GOOD: readonly GatedAgent['state'][] = ['proven', 'contract only']

function Agent({ agent }: { readonly agent: GatedAgent }): ReactNode {
  const now = useServerNow(30_000)
  const { words, state, at, runsAnyway } = agent
  return (
    <>
      <p className={GOOD.includes(state) ? '' : 'cs-bad'}>
        <SafeTextView text={words} />
        {at !== null && <span className="cs-dim"> {formatAgo(now - at)}</span>}
      </p>
      {runsAnyway.length > 0 && (
        <ul>
          {runsAnyway.map((failure) => (
            <li key={failure} className="cs-bad">
              <SafeTextView text={failure} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
