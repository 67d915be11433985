import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { openDatabase } from '../../packages/node/src/sqlite-file.ts'
import type { Transaction, Write } from './recorded-writes.ts'

interface Step {
  readonly statement: StatementSync
  readonly values: SQLInputValue[]
  /** Which values are the call's id, and whether the first is an entry's number. */
  readonly ids: readonly number[]
  readonly numbered: boolean
}

/** The inserts of one call, alone: recorded transactions on a database with the store's own tables and settings. */
export class BareStore {
  readonly #db: DatabaseSync
  readonly #steps: readonly (readonly Step[])[]
  #seq = 0

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
    for (const step of this.#steps.flat()) {
      for (const at of step.ids) step.values[at] = id
      if (step.numbered) step.values[0] = ++this.#seq
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
    return { statement: this.#db.prepare(sql), values: [...values], ids, numbered: sql.startsWith('INSERT INTO entry') }
  }
}
