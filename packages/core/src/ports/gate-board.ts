import type { EntryDraft } from './store.ts'

/**
 * What gates that share a store keep there about themselves. Nothing of it is believed just because it is there: each
 * version of the list is signed, and each message is proven by a code that a person carries.
 */
export interface GateBoard {
  /** The newest version of the list as far as this process has heard, in memory; 0 without one. */
  version(): number
  /** The versions after this one as stored, rising. */
  listsAfter(version: number): Promise<readonly string[]>
  /** Adds a version with its journal entry, in one transaction. False if another gate added this version first. */
  addList(list: { readonly version: number; readonly text: string }, entry: EntryDraft): Promise<boolean>
  /** Leaves a request to join, for so many milliseconds of the server's clock. False if there are too many already. */
  ask(id: string, request: string, livesMs: number): Promise<boolean>
  /** A request that is still valid, and its answer if there is one. */
  asked(id: string): Promise<JoinRow | undefined>
  /** Answers a request. False if it expired or was answered. */
  answer(id: string, answer: string): Promise<boolean>
  /** Removes a request with its answer. */
  forget(id: string): Promise<void>
}

/** A request to join with its answer. */
export interface JoinRow {
  readonly request: string
  readonly answer: string | null
}
