import type { Owners } from '@countersign/core'

/** Which tab holds a call. A tab lives as long as it holds the Web Lock of its name. */
export interface TabOwners extends Owners {
  /** Finds out at once which of these tabs are gone. */
  look(owners: readonly string[]): Promise<void>
  close(): void
}

/** INVARIANT: L10, so many tabs are watched or remembered as gone; about others nothing is said. */
const MOST_TABS = 1_000

/** Takes the lock of this tab. `onGone` is called each time another tab that holds calls is gone. */
export async function openOwners(store: string, self: string, onGone: () => void): Promise<TabOwners> {
  const { locks } = navigator
  const lockOf = (owner: string): string => `${store} tab ${owner}`
  const gone = new Set<string>()
  const watched = new Set<string>()
  const leaving = new AbortController()
  const release = await takeLock(lockOf(self))

  /** A shared request is granted once the tab's own lock is released: when it was closed, reloaded or crashed. */
  function watch(owner: string): void {
    if (watched.has(owner) || watched.size >= MOST_TABS) return
    watched.add(owner)
    locks
      .request(lockOf(owner), { mode: 'shared', signal: leaving.signal }, () => {
        watched.delete(owner)
        if (gone.size < MOST_TABS) gone.add(owner)
      })
      .then(onGone)
      .catch(() => {})
  }

  return {
    self,
    isAlive(owner) {
      if (owner === self) return true
      if (gone.has(owner)) return false
      watch(owner) // a name is taken before its tab writes anything, so a free one is no longer in use
      return true
    },
    async look(owners) {
      for (const owner of new Set(owners)) {
        if (owner === self || gone.size >= MOST_TABS) continue
        await locks.request(lockOf(owner), { mode: 'shared', ifAvailable: true }, (lock) => {
          if (lock !== null) gone.add(owner)
        })
      }
    },
    close() {
      leaving.abort()
      release()
    },
  }
}

/** Resolves once the lock is held, with the function that releases it. */
function takeLock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(name, () => new Promise<void>((release) => resolve(release))).catch(reject)
  })
}
