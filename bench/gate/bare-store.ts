import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { openDatabase } from '../../packages/node/src/store/database-file.ts'
import type { Transaction, Write } from './recorded-writes.ts'

interface Step {
  readonly sql: string
  readonly statement: StatementSync
  readonly values: SQLInputValue[]
  /** Which values are the call's id. */
  readonly ids: readonly number[]
  readonly about: 'entry' | 'head' | 'other'
}

/** The inserts of one call alone: recorded transactions on a database with the store's tables and settings. */
export class BareStore {
  readonly #db: DatabaseSync
  readonly #transactions: readonly { readonly level: Transaction['level']; readonly steps: readonly Step[] }[]
  #level: Transaction['level'] = 'NORMAL'
  #head: { readonly size: number; readonly frontier: SQLInputValue } = { size: 0, frontier: '' }

  private constructor(db: DatabaseSync, transactions: readonly Transaction[], id: string) {
    this.#db = db
    this.#transactions = transactions.map(({ level, writes }) => ({
      level,
      steps: writes.map((write) => this.#step(write, id)),
    }))
  }

  /** `id` is the recorded call. */
  static async open(file: string, transactions: readonly Transaction[], id: string): Promise<BareStore> {
    const bare = new BareStore(await openDatabase(file, false), transactions, id)
    bare.#rehearse(id)
    return bare
  }

  /** Repeats the call once, and checks that every statement has the same effect. */
  #rehearse(id: string): void {
    this.prepare(id)
    for (const { steps } of this.#transactions) {
      for (const { sql, statement, values } of steps) {
        const { changes } = statement.run(...values)
        if (/^(INSERT|UPDATE)/.test(sql) && changes === 0)
          throw new Error(`the repeated statement changed nothing: ${sql}`)
      }
    }
  }

  /** Puts a call's id and the next entry numbers into the transactions from..to in advance, so that only repeating them is timed. */
  prepare(id: string, from = 0, to = this.#transactions.length): void {
    for (const { steps } of this.#transactions.slice(from, to)) {
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

  /** Repeats the transactions from..to (exclusive). */
  repeat(from = 0, to = this.#transactions.length): void {
    for (const { level, steps } of this.#transactions.slice(from, to)) {
      if (level !== this.#level) this.#db.exec(`PRAGMA synchronous = ${level}`)
      this.#level = level
      for (const { statement, values } of steps) statement.run(...values)
    }
  }

  close(): void {
    this.#db.close()
  }

  #step({ sql, values }: Write, id: string): Step {
    const ids = values.flatMap((value, at) => (value === id ? [at] : []))
    const about = sql.startsWith('INSERT INTO entry') ? 'entry' : sql.startsWith('UPDATE head') ? 'head' : 'other'
    return { sql, statement: this.#db.prepare(sql), values: [...values], ids, about }
  }
}
