import { CountersignError } from '@countersign/core'
import type { Row } from '../connection/client.ts'
import { checkVersion } from '../schema/schema-version.ts'
import { count, textOrNull } from './values.ts'

/** One entry of a journal by its content: another history has another hash there. */
export interface Mark {
  readonly size: number
  /** The leaf hash of the entry `size`. */
  readonly leaf: string
}

/** What every transaction checks first. */
export interface Guard {
  readonly version: number
  readonly size: number
  readonly gates: number
  /** The hash at the mark that was asked for; 'archived' where only spans are left of it. */
  readonly marked: string | null
}

/** The end of the journal as a gate has signed it. */
export interface KnownJournal {
  readonly size: number
  /** Hex root over all entries up to `size`. */
  readonly root: string
}

const NOTHING: Mark = { size: 0, leaf: '' }

/** Reads the row of `guardStatement`. */
export function guardOf(row: Row | undefined): Guard {
  return {
    version: count(row, 'version'),
    size: count(row, 'size'),
    gates: count(row, 'gates'),
    marked: textOrNull(row ?? {}, 'marked'),
  }
}

/** The newest state of a store that this process has seen: an older one, or another history, is refused. */
export class KnownHead {
  readonly #shown: string
  #size: number
  #mark = NOTHING
  #gates = 0

  /** `shown` is the store's address for messages. */
  constructor(shown: string, size: number) {
    this.#shown = shown
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** The newest entry whose content this process knows. */
  get mark(): Mark {
    return this.#mark
  }

  /** The newest version of the list of gates that was read or announced. */
  get gates(): number {
    return this.#gates
  }

  hearOfGates(version: number): void {
    this.#gates = Math.max(this.#gates, version)
  }

  /** Remembers that the journal has this size, and its last entry if it is known. */
  grow(size: number, leaf?: string | null): void {
    this.#size = Math.max(this.#size, size)
    if (leaf && size > this.#mark.size) this.#mark = { size, leaf }
  }

  /**
   * INVARIANT: a journal only grows. A shorter one, or one with another entry in the place of a known one, is a restored
   * backup or a server that missed commits, whatever was added to it since. `known` and `mark` are from before a read: a
   * commit may have made the journal longer meanwhile.
   */
  check({ version, size, gates, marked }: Guard, mark: Mark, known = this.#size): void {
    checkVersion(this.#shown, version)
    if (size < known)
      throw this.#refused(
        `the journal of \`${this.#shown}\` ends at entry ${size}, but this gate knows ${known} entries`,
      )
    if (mark.size > 0 && marked !== mark.leaf && marked !== 'archived')
      throw this.#refused(
        `entry ${mark.size} in the journal of \`${this.#shown}\` is ${short(marked)}, but this gate knows it as ${short(mark.leaf)}`,
      )
    this.grow(size)
    this.hearOfGates(gates)
  }

  /** The error for a journal whose root at a known size is not the one that this gate signed. */
  forked({ size, root }: KnownJournal): CountersignError {
    return this.#refused(
      `the first ${size} entries in the journal of \`${this.#shown}\` are not those that this gate signed (root ${short(root)})`,
    )
  }

  #refused(what: string): CountersignError {
    return new CountersignError(
      'CS_STORE_OPEN',
      `${what}; it was restored from a backup, missed commits in a failover, or is another server: connect to the server that has them; if it is gone, see “Lost commits” in the PostgreSQL guide`,
    )
  }
}

function short(hash: string | null): string {
  return hash === null ? 'missing' : `\`${hash.slice(0, 12)}…\``
}
