import type { Store } from '@countersign/core'
import { intercept } from '../intercept.ts'

/** Operations of stores that wait for a server. */
const underWay = new Set<Promise<unknown>>()
/** Stores that learn of other gates' commits from their server. */
const listening = new Set<{ readonly steadyVersion: () => Promise<number> }>()
/** A commit ended since the stores last compared. */
let isNews = false

/** The same store; `storesSettled` waits for its operations. SQLite's end without waiting, so they need none of this. */
export function watched<S extends Store>(store: S): S {
  if (!isListening(store)) return store
  listening.add(store)
  return intercept(store, (method, work) => {
    if (method === 'close') listening.delete(store)
    const result = work()
    return result instanceof Promise ? awaited(result, method === 'commit') : result
  })
}

/** The same work; `storesSettled` waits for it. */
export function awaited<T>(work: Promise<T>, isCommit = false): Promise<T> {
  const ended = work.then(
    () => {},
    () => {},
  )
  underWay.add(ended)
  void ended.then(() => {
    isNews ||= isCommit
    underWay.delete(ended)
  })
  return work
}

/** A store was changed by somebody else: its gates notice before everything is settled. */
export function announce(): void {
  isNews = true
}

/** True if there was something to wait for: operations under way, or commits that other gates have not noticed yet. */
export async function storesSettled(): Promise<boolean> {
  if (underWay.size > 0) {
    await Promise.all(underWay)
    return true
  }
  if (!isNews) return false
  isNews = false
  await Promise.allSettled([...listening].map((store) => store.steadyVersion()))
  return true
}

function isListening(store: Store): store is Store & { readonly steadyVersion: () => Promise<number> } {
  return 'steadyVersion' in store
}
