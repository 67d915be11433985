import { Safe } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { QuarantineLine } from '../quarantine/inbox-line.tsx'
import type { Batch } from './batches.ts'

/**
 * What stands above the held calls: tools in quarantine, and calls that may be decided together. While somebody is at the
 * rows no line comes or goes, which would move a row away from under them; those that are there tell what is so now.
 */
export function LinesAbove({
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
      <QuarantineLine isStill={isStill} />
      {(isStill ? kept.map((one) => now.get(one.id) ?? one) : batches).map(({ id, views, more, risk, tool }) => (
        <Link key={id} href={`/batch/${id}`} className="batch-link" aria-current={id === chosen ? 'true' : undefined}>
          {views.length + more} equal {risk} calls of <Safe text={tool} />: decide them together
        </Link>
      ))}
    </>
  )
}
