import type { OpenedView } from '@countersign/core'
import { useMemo, useState } from 'react'
import { batchOf } from './reducer.ts'

/** Similar calls that can be decided together. */
export interface Batch {
  /** Calls that can be decided together with the selected one; empty if there are none. */
  readonly equal: readonly OpenedView[]
  /** The calls of the open batch that are still held; empty if none is open. */
  readonly calls: readonly OpenedView[]
  open(): void
  close(): void
}

/** The open batch does not change while it is read: new calls wait for the next one. */
export function useBatch(held: readonly OpenedView[], opened: OpenedView | undefined): Batch {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const equal = useMemo(() => (opened === undefined ? [] : batchOf(held, opened)), [held, opened])
  const calls = useMemo(() => {
    const still = held.filter(({ view }) => chosen.has(view.requestDigest))
    return still.length > 1 ? still : []
  }, [held, chosen])
  return {
    equal,
    calls,
    open: () => choose(new Set(equal.map(({ view }) => view.requestDigest))),
    close: () => choose(new Set()),
  }
}
