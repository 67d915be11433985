import { type Crypto, draftEntry, type Store } from '@countersign/core'

const WINDOW_MS = 60_000
/** Entries a minute: whoever tries more often is counted, not written out. INVARIANT: L10. */
const MOST = 60

/** Records what somebody tried who may not. SECURITY: A2, the attempt itself is news. */
export interface RefusedAttempts {
  record(surface: 'socket' | 'http', message: string): void
}

/** Recording never fails the answer that refuses. */
export function createRefusedAttempts(store: Store, crypto: Crypto, now: () => number): RefusedAttempts {
  let since = 0
  let count = 0
  let unwritten = 0
  return {
    record(surface, message) {
      const at = now()
      if (at - since >= WINDOW_MS) [since, count] = [at, 0]
      count += 1
      if (count > MOST) {
        unwritten += 1
        return
      }
      const body = { kind: 'decision-refused', call: null, code: 'CS_ASKER', message, surface, unwritten }
      unwritten = 0
      store.commit({ entries: [draftEntry(body, at, crypto)], durable: false }).catch(() => {})
    },
  }
}
