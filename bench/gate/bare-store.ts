import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { openDatabase } from '../../packages/node/src/sqlite-file.ts'
import type { Transaction, Write } from './recorded-writes.ts'

interface Step {
  readonly statement: StatementSync
  readonly values: SQLInputValue[]
  /** Which values are the call's id. */
  readonly ids: readonly number[]
  readonly about: 'entry' | 'head' | 'other'
}

/** The inserts of one call, alone: recorded transactions on a database with the store's own tables and settings. */
export class BareStore {
  readonly #db: DatabaseSync
  readonly #steps: readonly (readonly Step[])[]
  #head: { readonly size: number; readonly frontier: SQLInputValue } = { size: 0, frontier: '' }

  private constructor(db: DatabaseSync, transactions: readonly Transaction[], id: string) {
    this.#db = db
    this.#steps = transactions.map((writes) => writes.map((write) => this.#step(write, id)))
  }

  /** `id` is the call that was recorded. */
  static async open(file: string, transactions: readonly Transaction[], id: string): Promise<BareStore> {
    return new BareStore(await openDatabase(file, false), transactions, id)
  }

  /** Puts the next call's id and entry numbers in place, so that repeating is nothing but the statements. */
  prepare(id: string): void {
    for (const steps of this.#steps) {
      const { size, frontier } = this.#head
      let seq = size
      for (const { about, ids, values } of steps) {
        for (const at of ids) values[at] = id
        if (about === 'entry') values[0] = ++seq
      }
      const head = steps.find((step) => step.about === 'head')?.values
      if (head === undefined) continue
      this.#head = { size: seq, frontier: head[1] ?? '' }
      head.splice(0, 4, seq, this.#head.frontier, size, frontier)
    }
  }

  /** Repeats the transactions from..to (the last not included). */
  repeat(from = 0, to = this.#steps.length): void {
    for (let at = from; at < to; at += 1) {
      for (const { statement, values } of this.#steps[at] ?? []) statement.run(...values)
    }
  }

  close(): void {
    this.#db.close()
  }

  #step({ sql, values }: Write, id: string): Step {
    const ids = values.flatMap((value, at) => (value === id ? [at] : []))
    const about = sql.startsWith('INSERT INTO entry') ? 'entry' : sql.startsWith('UPDATE head') ? 'head' : 'other'
    return { statement: this.#db.prepare(sql), values: [...values], ids, about }
  }
}
