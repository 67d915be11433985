import type { JournalSource } from '../journal/verify.ts'
import type { JournalHead } from '../ports/store.ts'
import type { StoreRow, StoreTable } from './store-tables.ts'

/** Whether gates may use a store. `moved`: its journal goes on in another one, and every gate refuses to use it. */
export type StoreState = 'in use' | 'moved'

/** One moment of a store: what is read from it stays the same, whoever writes to the store meanwhile. */
export interface StoreSnapshot {
  /** Its address for messages, without a password. */
  readonly shown: string
  readonly state: StoreState
  readonly journal: JournalSource
  /** The rows of a table in pages. */
  rows(table: StoreTable): AsyncIterable<readonly StoreRow[]>
  /** Every version of the list of gates, rising; none where a home has the store alone. */
  gateLists(): Promise<readonly string[]>
  /** Ends it, and undoes what was not committed. */
  release(): Promise<void>
}

/** A store that nobody else writes to until it is committed or released. */
export interface LockedStore extends StoreSnapshot {
  isEmpty(): Promise<boolean>
  /** Removes all rows. */
  clear(): Promise<void>
  add(table: StoreTable, rows: readonly StoreRow[]): Promise<void>
  /** Adds what follows from the rows, and the list of gates. */
  complete(head: JournalHead, gateLists: readonly string[]): Promise<void>
  /** Keeps what was written, with this state, in one transaction. Throws CS_STORE_UNSURE if that is not known. */
  commit(state: StoreState): Promise<void>
}
