import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** One write statement with its values. */
export interface Write {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** The statements from BEGIN to COMMIT, and their sync mode. */
export interface Transaction {
  readonly level: 'NORMAL' | 'FULL'
  readonly writes: readonly Write[]
}

export interface Recording {
  /** The transactions since the last call. */
  take(): readonly Transaction[]
  stop(): void
}

/**
 * Records all writes to SQLite databases opened from now on, so that they can be repeated alone. Reads are not
 * recorded.
 */
export function recordWrites(): Recording {
  let done: Transaction[] = []
  let writes: Write[] = []
  let level: Transaction['level'] = 'NORMAL'
  const { prepare, exec } = DatabaseSync.prototype

  function note(sql: string, values: readonly SQLInputValue[]): void {
    const set = /^PRAGMA synchronous = (NORMAL|FULL)/.exec(sql)?.[1]
    if (set !== undefined) level = set === 'FULL' ? 'FULL' : 'NORMAL'
    if (/^\s*(SELECT|PRAGMA)/i.test(sql)) return
    writes.push({ sql, values })
    if (sql !== 'COMMIT') return
    done.push({ level, writes })
    writes = []
  }

  DatabaseSync.prototype.prepare = function noting(this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql)
    for (const name of ['run', 'get'] as const) {
      const real: (...values: SQLInputValue[]) => unknown = statement[name].bind(statement)
      const value = (...values: SQLInputValue[]): unknown => {
        note(sql, values)
        return real(...values)
      }
      Object.defineProperty(statement, name, { value })
    }
    return statement
  }
  DatabaseSync.prototype.exec = function noting(this: DatabaseSync, sql: string): void {
    note(sql, [])
    exec.call(this, sql)
  }

  return {
    take() {
      const taken = done
      done = []
      return taken
    },
    stop() {
      Object.assign(DatabaseSync.prototype, { prepare, exec })
    },
  }
}
