import type { Change, Committed } from '@countersign/core'

/** What became of one change of a group; its error when it alone was refused. */
export type Written = { readonly committed: Committed } | { readonly error: unknown }

interface Waiting {
  readonly change: Change
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
}

/** INVARIANT: L10. More than this wait for the next transaction: others may write in between. */
const MOST = 256

/**
 * Gathers the changes that many calls side by side ask for, so that one transaction writes them all: taking the lock,
 * committing and syncing are paid once. The change of a call on its own is written as soon as the step that asked for it
 * has ended.
 */
export class CommitGroup {
  readonly #write: (changes: readonly Change[]) => readonly Written[]
  #waiting: Waiting[] = []
  #isEndAwaited = false

  /** `write` gives one answer for each change, in their order; a throw means that nothing of the group happened. */
  constructor(write: (changes: readonly Change[]) => readonly Written[]) {
    this.#write = write
  }

  /** `isOneOfMany`: others are under way that may soon ask as well, so it waits for the end of this turn of the loop. */
  add(change: Change, isOneOfMany: boolean): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject })
      if (isOneOfMany) this.#awaitEnd()
      else if (this.#waiting.length === 1) queueMicrotask(() => this.#flush())
    })
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return
    this.#isEndAwaited = true
    setImmediate(() => {
      this.#isEndAwaited = false
      this.#flush()
    })
  }

  /** Writes all that waits, now. */
  close(): void {
    while (this.#waiting.length !== 0) this.#flush()
  }

  #flush(): void {
    const group = this.#waiting.slice(0, MOST)
    if (group.length === 0) return
    this.#waiting = this.#waiting.slice(MOST)
    if (this.#waiting.length !== 0) this.#awaitEnd()
    try {
      const written = this.#write(group.map(({ change }) => change))
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
