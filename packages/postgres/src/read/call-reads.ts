import type { StoredCall } from '@countersign/core'
import type { Row } from '../connection/client.ts'
import { callOf } from './rows.ts'
import { stored } from './values.ts'

/** INVARIANT: L10, rows with their arguments in one answer. */
const MOST_TOGETHER = 64
/** Reads under way at once; what is asked for meanwhile is read together. */
const MOST_READS = 2

interface Waiting {
  readonly id: string
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Reads calls by their ids: those asked for at the same time in one round trip, each after it was asked for. */
export class CallReads {
  readonly #read: (ids: readonly string[]) => Promise<readonly Row[]>
  #waiting: Waiting[] = []
  #reads = 0

  /** `read` returns the rows of these ids, as they are stored. */
  constructor(read: (ids: readonly string[]) => Promise<readonly Row[]>) {
    this.#read = read
  }

  async call(id: string): Promise<StoredCall | undefined> {
    const row = await new Promise<Row | undefined>((resolve, reject) => {
      this.#waiting.push({ id: stored(id), resolve, reject })
      if (this.#reads < MOST_READS) void this.#work()
    })
    // A damaged row fails only whoever asked for it.
    return row === undefined ? undefined : callOf(row)
  }

  async #work(): Promise<void> {
    this.#reads += 1
    await null // callers of the same step are read together
    for (;;) {
      const group = this.#waiting.splice(0, MOST_TOGETHER)
      if (group.length === 0) break
      try {
        const rows = await this.#read([...new Set(group.map(({ id }) => id))])
        const found = new Map(rows.map((row) => [row['id'], row]))
        for (const { id, resolve } of group) resolve(found.get(id))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#reads -= 1
  }
}
