import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  appendLeaf,
  CountersignError,
  type Crypto,
  type EntryDraft,
  type JournalHead,
  leafHash,
} from '@countersign/core'
import { count, text } from './row-mapping.ts'

/** Appends to the journal inside a transaction that the caller began and will end. */
export class EntryWriter {
  readonly #crypto: Crypto
  readonly #readHead: StatementSync
  readonly #moveHead: StatementSync
  readonly #addEntry: StatementSync
  #head: JournalHead | undefined

  constructor(db: DatabaseSync, crypto: Crypto) {
    this.#crypto = crypto
    this.#readHead = db.prepare('SELECT size, frontier FROM head')
    this.#moveHead = db.prepare('UPDATE head SET size = ?, frontier = ? WHERE size = ? AND frontier = ?')
    this.#addEntry = db.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)')
  }

  /**
   * Appends entries and gives the new size. The head as this process last wrote it is tried first: the update finds out,
   * inside the transaction, whether it still stands. After another process's commit, or a rollback, it is read again.
   */
  append(entries: readonly EntryDraft[]): number {
    if (entries.length === 0) return this.#findHead().size
    const last = this.#head ?? this.#findHead()
    const grown = this.#grow(entries, last) ?? this.#grow(entries, this.#findHead())
    if (grown === undefined)
      throw new CountersignError('CS_STORE_WRITE', 'the head of the journal cannot be moved; restore a backup')
    this.#head = grown
    return grown.size
  }

  #findHead(): JournalHead {
    const row = this.#readHead.get() ?? {}
    return { size: count(row, 'size'), frontier: text(row, 'frontier') }
  }

  /** Moves the head from `last` and writes the entries behind it; undefined when it is not there. */
  #grow(entries: readonly EntryDraft[], last: JournalHead): JournalHead | undefined {
    let { size, frontier } = last
    const rows = entries.map((draft) => {
      const line = draft.line(size + 1)
      const leaf = leafHash(line, this.#crypto)
      frontier = appendLeaf(frontier, size, leaf, this.#crypto)
      size += 1
      return { seq: size, callId: draft.callId, line, leaf }
    })
    if (this.#moveHead.run(size, frontier, last.size, last.frontier).changes !== 1) return undefined
    for (const { seq, callId, line, leaf } of rows) {
      if (this.#addEntry.run(seq, callId, line, leaf).changes !== 1)
        throw new CountersignError('CS_STORE_WRITE', 'the journal did not take an entry; restore a backup')
    }
    return { size, frontier }
  }
}
