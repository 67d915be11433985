import { CountersignError } from '@countersign/core'
import type { Row } from '../connection/client.ts'
import { checkVersion } from '../schema/schema-version.ts'
import { count } from './values.ts'

/** What every transaction checks first. */
export interface Guard {
  readonly version: number
  readonly size: number
  readonly gates: number
}

/** Reads the row of `guardStatement`. */
export function guardOf(row: Row | undefined): Guard {
  return { version: count(row, 'version'), size: count(row, 'size'), gates: count(row, 'gates') }
}

/** The newest state of a store that this process has seen: what is older is refused. */
export class KnownHead {
  readonly #shown: string
  #size: number
  #gates = 0

  /** `shown` is the store's address for messages. */
  constructor(shown: string, size: number) {
    this.#shown = shown
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** The newest version of the list of gates that was read or announced. */
  get gates(): number {
    return this.#gates
  }

  hearOfGates(version: number): void {
    this.#gates = Math.max(this.#gates, version)
  }

  grow(size: number): void {
    this.#size = Math.max(this.#size, size)
  }

  /**
   * INVARIANT: a journal never gets shorter. A shorter one is a restored backup, or a server that missed commits. `known` is
   * from before a read: a commit may have made the journal longer since.
   */
  check({ version, size, gates }: Guard, known = this.#size): void {
    checkVersion(this.#shown, version)
    if (size < known)
      throw new CountersignError(
        'CS_STORE_OPEN',
        `the journal of \`${this.#shown}\` ends at entry ${size}, but this gate knows ${known} entries; it was restored from a backup or is another server: connect to the right one, or run \`countersign journal verify\``,
      )
    this.grow(size)
    this.hearOfGates(gates)
  }
}
