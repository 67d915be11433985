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

/** So many transactions in one turn of the loop are a call or two on their own; who comes after them is one of many. */
const ALONE = 3

/**
 * Gathers the changes that many calls side by side ask for, so that one transaction writes them all: taking the lock,
 * committing and syncing are paid once. A change on its own is written as soon as the step that asked for it has ended.
 */
export class CommitGroup {
  readonly #write: (changes: readonly Change[]) => readonly Written[]
  #waiting: Waiting[] = []
  #isTurnOpen = false
  #transactions = 0
  #largest = 0
  /** Transactions that this turn may have before it gathers: none after a turn in which there was something to gather. */
  #alone = ALONE

  /** `write` gives one answer for each change, in their order; a throw means that nothing of the group happened. */
  constructor(write: (changes: readonly Change[]) => readonly Written[]) {
    this.#write = write
  }

  add(change: Change): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject })
      if (!this.#isTurnOpen) {
        this.#isTurnOpen = true
        setImmediate(() => this.#endTurn())
      }
      if (this.#waiting.length === 1 && this.#transactions < this.#alone) queueMicrotask(() => this.#flush())
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
    this.#transactions += 1
    this.#largest = Math.max(this.#largest, group.length)
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

  #endTurn(): void {
    this.#isTurnOpen = false
    this.#flush()
    this.#alone = this.#largest > 1 ? 0 : ALONE
    this.#transactions = 0
    this.#largest = 0
    if (this.#waiting.length === 0) return
    this.#isTurnOpen = true
    setImmediate(() => this.#endTurn())
  }
}
