import { type Committed, CountersignError } from '@countersign/core'
import type { Written } from './planned-rows.ts'
import type { SharedChange } from './rows-to-write.ts'

interface Waiting {
  readonly change: SharedChange
  readonly since: number
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
}

/** INVARIANT: L10. More than this wait for the next transaction: other gates may write in between. */
const MOST_TOGETHER = 256
const MOST_WAITING = 20_000

/** A change that waited longer is refused before it is sent: its caller may soon be told that the store failed. */
const MOST_WAIT_MS = 4000

/**
 * Gathers changes while a transaction is under way, and writes them together in the next: the lock and the disk are
 * waited for once.
 */
export class CommitQueue {
  readonly #write: (changes: readonly SharedChange[]) => Promise<readonly Written[]>
  #waiting: Waiting[] = []
  #working: Promise<void> | undefined

  constructor(write: (changes: readonly SharedChange[]) => Promise<readonly Written[]>) {
    this.#write = write
  }

  add(change: SharedChange): Promise<Committed> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MOST_WAITING) return reject(busy())
      this.#waiting.push({ change, since: performance.now(), resolve, reject })
      this.#working ??= this.#work()
    })
  }

  /** Waits until everything is written. */
  async close(): Promise<void> {
    await this.#working
  }

  async #work(): Promise<void> {
    await null // callers of the same step are written together
    for (;;) {
      const group = this.#waiting.splice(0, MOST_TOGETHER)
      if (group.length === 0) break
      const late = performance.now() - MOST_WAIT_MS
      for (const one of group) if (one.since < late) one.reject(busy())
      await this.#writeGroup(group.filter(({ since }) => since >= late))
    }
    this.#working = undefined
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return
    try {
      const written = await this.#write(group.map(({ change }) => change))
      for (const [at, { resolve, reject }] of group.entries()) {
        const one = written[at]
        if (one !== undefined && 'committed' in one) resolve(one.committed)
        else reject(one?.error)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

function busy(): CountersignError {
  return new CountersignError(
    'CS_STORE_WRITE',
    'the store is too slow or busy; check the database server and try again',
  )
}
