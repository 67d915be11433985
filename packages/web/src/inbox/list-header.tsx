import { type ConnectionState, SafeTextView } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { QuarantineLink } from '../quarantine/inbox-line.tsx'
import type { Batch } from './batches.ts'

/** Links above the list: tools in quarantine and batches. While rows are fixed, no link appears or disappears. */
export function ListHeader({
  batches,
  chosen,
  isStill,
}: {
  readonly batches: readonly Batch[]
  /** The open batch. */
  readonly chosen: string | undefined
  /** The pointer or focus is in the list. */
  readonly isStill: boolean
}): ReactNode {
  const [kept, setKept] = useState(batches)
  if (!isStill && kept !== batches) setKept(batches)
  const now = new Map(batches.map((one) => [one.id, one]))
  return (
    <>
      <QuarantineLink isStill={isStill} />
      {(isStill ? kept.map((one) => now.get(one.id) ?? one) : batches).map(({ id, views, more, risk, tool }) => (
        <Link key={id} href={`/batch/${id}`} className="batch-link" aria-current={id === chosen ? 'true' : undefined}>
          {views.length + more} similar {risk}-risk calls of <SafeTextView text={tool} />: review together
        </Link>
      ))}
    </>
  )
}

/** The heading of the list. INVARIANT: a disconnected page never claims that nothing is held. */
export function heldHeading(count: number, link: ConnectionState): string {
  if (link === 'live') return count === 0 ? 'No held calls' : `${count} held`
  return count === 0 ? 'Held calls unavailable' : `${count} held at the last update`
}

/** Why the list is not current; null if it is. */
export function disconnectedText(link: ConnectionState): string | null {
  switch (link) {
    case 'live':
      return null
    case 'connecting':
      return 'Connecting to the service…'
    case 'reconnecting':
      return 'Reconnecting to the service. Held calls can’t be updated.'
    case 'offline':
      return 'The service is not responding. Held calls can’t be updated.'
    case 'signed-out':
      return 'Sign in to see held calls.'
  }
}
