import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** One statement that changed something, with the very values it was given. */
export interface Write {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** The statements from BEGIN to COMMIT, and how they are synced. */
export interface Transaction {
  readonly level: 'NORMAL' | 'FULL'
  readonly writes: readonly Write[]
}

export interface Recording {
  /** The transactions since the last time it was asked. */
  take(): readonly Transaction[]
  stop(): void
}

/**
 * Writes down what every SQLite database opened from now on is told to change, so that the same can be repeated without
 * anything around it. What only reads is left out.
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
