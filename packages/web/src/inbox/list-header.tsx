import { type ConnectionState, countedWords, SafeTextView } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useQuarantine } from '../quarantine/quarantine.ts'
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

/** Links to the tools in quarantine, for people whose agent has no terminal. */
function QuarantineLink({
  isStill,
}: {
  /** Keeps the link from appearing or disappearing. */
  readonly isStill: boolean
}): ReactNode {
  const { data } = useQuarantine()
  const { waiting = [], more = 0, broken = [] } = data ?? {}
  const tools = waiting.length + more
  const isThere = tools + broken.length > 0
  const [isShown, setShown] = useState(isThere)
  if (!isStill && isShown !== isThere) setShown(isThere)
  if (!(isStill ? isShown : isThere)) return null
  return (
    <Link href="/tools" className="quarantine-link">
      {tools > 0 || broken.length === 0
        ? `${countedWords(tools, 'tool')} in quarantine`
        : `All tools of ${broken.length === 1 ? 'a server' : `${broken.length} servers`} are in quarantine`}{' '}
      <span aria-hidden="true">→</span>
    </Link>
  )
}
