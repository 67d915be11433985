import { type ConnectionState, SafeTextView } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { QuarantineLink } from '../quarantine/inbox-line.tsx'
import type { Batch } from './batches.ts'

/**
 * What stands above the held calls: tools in quarantine, and calls that may be decided together. While somebody is at the
 * rows no line comes or goes, which would move a row away from under them; those that are there tell what is so now.
 */
export function ListHeader({
  batches,
  chosen,
  isStill,
}: {
  readonly batches: readonly Batch[]
  /** The batch that is open. */
  readonly chosen: string | undefined
  /** Somebody points at a row, or has the focus among them. */
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
          {views.length + more} equal {risk} calls of <SafeTextView text={tool} />: decide them together
        </Link>
      ))}
    </>
  )
}

/** How many are held, as a heading. INVARIANT: a page that does not hear the service never says that nothing is held. */
export function heldHeading(count: number, link: ConnectionState): string {
  if (link === 'live') return count === 0 ? 'Nothing is held' : `${count} held`
  return count === 0 ? 'Not known what is held' : `${count} held when last heard`
}

/** Why that is not known, in a sentence; null while it is. */
export function disconnectedText(link: ConnectionState): string | null {
  switch (link) {
    case 'live':
      return null
    case 'connecting':
      return 'Connecting to the service…'
    case 'reconnecting':
      return 'What is held is not known while this page reconnects to the service.'
    case 'offline':
      return 'What is held is not known while the service does not answer.'
    case 'signed-out':
      return 'What is held is not known while nobody is signed in.'
  }
}
