import type { PastCall } from '@countersign/core'
import type { ReactNode } from 'react'
import { useServerNow } from '../source/server-clock.ts'
import { agoWords } from '../text/format.ts'
import { Ticked } from '../text/inline-code.tsx'
import { Region } from '../text/region.tsx'
import { Safe } from '../text/safe-text.tsx'

const SHOWN = 4

/** How calls of the same tool were decided before. */
export function Similar({ past }: { readonly past: readonly PastCall[] }): ReactNode {
  const now = useServerNow(30_000)
  const asked = past.filter((one) => one.decision !== null || one.outcome === 'expired')
  if (asked.length === 0) return null
  const count = (kind: 'approve' | 'reject'): number => asked.filter((one) => one.decision?.kind === kind).length
  const expired = asked.filter((one) => one.outcome === 'expired').length
  const words = [
    [count('approve'), 'approved'],
    [count('reject'), 'rejected'],
    [expired, 'expired'],
  ].flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]))
  return (
    <Region className="cs-similar" label="Similar decisions">
      <h3 className="cs-heading">Before</h3>
      <p>
        {asked.length === 1 ? 'Held once before' : `Of the last ${asked.length} times this tool was held`}:{' '}
        {words.join(', ')}.
      </p>
      <ul>
        {asked.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <span className={one.decision?.kind === 'approve' ? 'cs-yes' : 'cs-no-word'}>
              {one.decision === null ? 'expired' : one.decision.kind === 'approve' ? 'approved' : 'rejected'}
            </span>{' '}
            <span className="cs-dim">{agoWords(now - (one.decision?.at ?? one.openedAt))}</span>{' '}
            <Ticked text={one.summary} />
            {one.decision?.reason != null && (
              <q className="cs-dim">
                <Safe text={one.decision.reason} />
              </q>
            )}
          </li>
        ))}
      </ul>
    </Region>
  )
}
