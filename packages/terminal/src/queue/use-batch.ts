import type { OpenedView } from '@countersign/core'
import { useMemo, useState } from 'react'
import { batchOf } from './reducer.ts'

/** Equal calls, as they can be decided together and as they are on the screen. */
export interface Batch {
  /** Those that could be decided with the one looked at; empty where there is no other. */
  readonly equal: readonly OpenedView[]
  /** Those on the screen: what was there when it was opened and is still held. Empty while it is closed. */
  readonly calls: readonly OpenedView[]
  open(): void
  close(): void
}

/** A batch takes in nothing while it is read: what comes meanwhile waits for the next, and moves nobody's place. */
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
