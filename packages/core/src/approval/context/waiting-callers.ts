import type { Clock } from '../../ports/clock.ts'
import type { Store, StoredCall } from '../../ports/store.ts'
import type { Verified } from '../decision/verify.ts'

/** Why a wait ended. */
export type Ending =
  /** Decided in this process: verified already. */
  | { readonly kind: 'delivered'; readonly verified: Verified }
  /** The row says decided: written by another process, to be verified here. */
  | { readonly kind: 'written'; readonly row: StoredCall }
  /** Somebody else already waits for it in this process. */
  | { readonly kind: 'taken' }
  /** The row is no longer waiting (withdrawn elsewhere). */
  | { readonly kind: 'gone' }
  | { readonly kind: 'policy-changed' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'withdrawn' }
  /** The waiter of a submitted call went away; the call itself stays. */
  | { readonly kind: 'left' }

interface Waiter {
  readonly end: (ending: Ending) => void
  readonly mode: 'ask' | 'submit'
}

export interface WaitingCallers {
  /** Waits for one call until something happens to it. `deadline` is monotonic. */
  wait(id: string, mode: 'ask' | 'submit', deadline: number, signal: AbortSignal | undefined): Promise<Ending>
  /** Wakes the waiter of a call decided in this process. False when nobody waits here. */
  deliver(id: string, verified: Verified): boolean
  /** How many calls wait here for a person. */
  readonly size: number
  /** Whether this process holds the call right now. */
  holds(id: string): boolean
  /** Wakes the waiter of a call that was withdrawn in this process. */
  withdraw(id: string): void
  /** Sends everyone away: what was asked is withdrawn, what was submitted stays. */
  leave(): void
  /** Tells every waiter that policy changed. */
  policyChanged(): void
}

const POLL_MS = 50

/**
 * Where held calls wait. Inside the process waking is immediate; for decisions of other processes the store's change
 * counter is read every 50 ms, and only while something waits.
 */
export function createWaitingCallers(store: Store, clock: Clock, onTick: () => void): WaitingCallers {
  const waiters = new Map<string, Waiter>()
  let polling = false
  let closed = false
  let seen = Number.NaN
  let asked = 0

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
        .catch(() => {}) // a store that cannot be read decides nothing; deadlines still end every wait
        .finally(() => {
          polling = false
          keepPolling()
        })
    })
  }

  async function poll(): Promise<void> {
    onTick()
    const version = store.version()
    if (version === seen) return
    const before = asked
    const decided = await store.calls({ state: 'decided', limit: 10_000 })
    for (const row of decided) wake(row.id, { kind: 'written', row })
    for (const [id, waiter] of [...waiters]) {
      if (waiter.mode !== 'submit') continue
      const row = await store.call(id)
      if (row === undefined || row.state === 'closed' || row.state === 'started') wake(id, { kind: 'gone' })
    }
    if (asked === before) seen = version // else what was asked for meanwhile may not be in it
  }

  return {
    wait(id, mode, deadline, signal) {
      return new Promise((resolve) => {
        const left = deadline - clock.monotonic()
        const gone: Ending = mode === 'ask' ? { kind: 'withdrawn' } : { kind: 'left' }
        if (waiters.has(id)) return resolve({ kind: 'taken' })
        if (signal?.aborted || closed) return resolve(gone)
        if (left <= 0) return resolve({ kind: 'expired' })
        const onAbort = () => wake(id, gone)
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
        seen = Number.NaN // a decision may have been written before anyone waited
        asked += 1
        keepPolling()
      })
    },
    deliver: (id, verified) => wake(id, { kind: 'delivered', verified }),
    get size() {
      return waiters.size
    },
    holds: (id) => waiters.has(id),
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
