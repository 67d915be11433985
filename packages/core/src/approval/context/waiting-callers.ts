import type { Clock } from '../../ports/clock.ts'
import type { Store, StoredCall } from '../../ports/store.ts'
import type { Verified } from '../decision/verify.ts'

/** Why a wait ended. */
export type Ending =
  /** Decided in this process, and verified there. */
  | { readonly kind: 'delivered'; readonly verified: Verified }
  /** Another process wrote a decision into the row; it must be verified here. */
  | { readonly kind: 'written'; readonly row: StoredCall }
  /** Another caller of this process already waits for it, or its caller went on to another gate. */
  | { readonly kind: 'taken' }
  /** The row no longer waits: it was withdrawn elsewhere. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'policy-changed' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'withdrawn' }
  /** The caller of a submitted call went away, or goes on elsewhere; the call stays. */
  | { readonly kind: 'left' }

interface Waiter {
  readonly end: (ending: Ending) => void
  readonly mode: 'ask' | 'submit'
}

export interface WaitingCallers {
  /** Waits until something happens to the call. `deadline` is monotonic. A `signal` aborted as `STOPPING` leaves the call as it is. */
  wait(id: string, mode: 'ask' | 'submit', deadline: number, signal: AbortSignal | undefined): Promise<Ending>
  /** Wakes the caller of a call decided in this process. False when nobody waits here. */
  deliver(id: string, verified: Verified): boolean
  /** How many calls of this process wait for a person. */
  readonly size: number
  /** Whether this process holds the call right now. */
  holds(id: string): boolean
  /** Ends the wait of a caller who came back on another connection and waits there. */
  supersede(id: string): void
  /** Wakes the caller of a call withdrawn in this process. */
  withdraw(id: string): void
  /** Ends every wait: asked calls are withdrawn, submitted ones stay. */
  leave(): void
  /** Wakes every caller because the policy changed. */
  policyChanged(): void
}

export interface WaitingOptions {
  /** Machines share the store: one that was cut off longer than its lease may find asked calls closed by another. */
  readonly isShared: boolean
  /** Whether the caller of a call waits at another gate by now. */
  isElsewhere(row: StoredCall): boolean
  onPoll(): void
}

const POLL_MS = 50
/** Rows read at once, with their sealed arguments. */
const READ_TOGETHER = 32
/** Asked calls are only closed by others after the lease of this machine: looking for it may take longer. */
const ASKED_MS = 1000

/** Why a service ends the waits of hooks when it stops: they take their calls up elsewhere. */
export const STOPPING = 'stopping'

/**
 * The callers that wait for a decision. A decision made in this process wakes them immediately. For other processes the
 * store's change counter is read every 50 ms, only while somebody waits. `onPoll` is called each time.
 */
export function createWaitingCallers(
  store: Store,
  clock: Clock,
  { isShared, isElsewhere, onPoll }: WaitingOptions,
): WaitingCallers {
  const waiters = new Map<string, Waiter>()
  let polling = false
  let closed = false
  let seen = Number.NaN
  let askedSeen = Number.NaN
  let askedAt = Number.NEGATIVE_INFINITY
  let waits = 0

  function wake(id: string, ending: Ending): boolean {
    const waiter = waiters.get(id)
    if (waiter === undefined) return false
    waiters.delete(id)
    waiter.end(ending)
    return true
  }

  function keepPolling(): void {
    if (polling || waiters.size === 0) return
    polling = true
    clock.after(POLL_MS, () => {
      poll()
        .catch(() => {}) // if the store cannot be read, nothing is decided; deadlines still end every wait
        .finally(() => {
          polling = false
          keepPolling()
        })
    })
  }

  async function poll(): Promise<void> {
    onPoll()
    const version = store.version()
    const before = waits
    if (version !== seen) {
      const decided = await store.calls({ state: 'decided', limit: 10_000 })
      for (const row of decided) wake(row.id, isElsewhere(row) ? { kind: 'taken' } : { kind: 'written', row })
      await wakeClosed('submit')
      if (waits === before) seen = version // otherwise a new wait may have missed an earlier decision
    }
    if (isShared && version !== askedSeen && clock.monotonic() - askedAt >= ASKED_MS) {
      askedAt = clock.monotonic()
      await wakeClosed('ask')
      if (waits === before) askedSeen = version
    }
  }

  /** Wakes the callers whose calls no longer wait, or wait at another gate. */
  async function wakeClosed(mode: Waiter['mode']): Promise<void> {
    const ids = [...waiters].filter(([, waiter]) => waiter.mode === mode).map(([id]) => id)
    for (let at = 0; at < ids.length; at += READ_TOGETHER) {
      const some = ids.slice(at, at + READ_TOGETHER)
      const rows = await Promise.allSettled(some.map((id) => store.call(id)))
      for (const [place, found] of rows.entries()) {
        const id = some[place]
        if (id === undefined || found.status === 'rejected') continue
        const { value: row } = found
        if (row === undefined || row.state === 'closed' || row.state === 'started') wake(id, { kind: 'gone' })
        else if (isElsewhere(row)) wake(id, { kind: 'taken' })
      }
      // They are all looked up again later; whoever was found gone is awake already.
      const failed = rows.find((row) => row.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
  }

  return {
    wait(id, mode, deadline, signal) {
      return new Promise((resolve) => {
        const left = deadline - clock.monotonic()
        const gone = (): Ending =>
          mode === 'submit' || signal?.reason === STOPPING ? { kind: 'left' } : { kind: 'withdrawn' }
        if (waiters.has(id)) return resolve({ kind: 'taken' })
        if (signal?.aborted || closed) return resolve(gone())
        if (left <= 0) return resolve({ kind: 'expired' })
        const onAbort = () => wake(id, gone())
        const cancel = clock.after(left, () => wake(id, { kind: 'expired' }))
        signal?.addEventListener('abort', onAbort, { once: true })
        waiters.set(id, {
          mode,
          end(ending) {
            cancel()
            signal?.removeEventListener('abort', onAbort)
            resolve(ending)
          },
        })
        seen = Number.NaN // a decision may have been written before this wait
        waits += 1
        keepPolling()
      })
    },
    deliver: (id, verified) => wake(id, { kind: 'delivered', verified }),
    get size() {
      return waiters.size
    },
    holds: (id) => waiters.has(id),
    supersede(id) {
      wake(id, { kind: 'taken' })
    },
    withdraw(id) {
      wake(id, { kind: 'gone' })
    },
    leave() {
      closed = true
      for (const [id, { mode }] of [...waiters]) wake(id, mode === 'ask' ? { kind: 'withdrawn' } : { kind: 'left' })
    },
    policyChanged() {
      for (const id of [...waiters.keys()]) wake(id, { kind: 'policy-changed' })
    },
  }
}
