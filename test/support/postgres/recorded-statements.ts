import pg from 'pg'

/** One statement as the driver was given it. */
export interface RecordedStatement {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

/** The statements of one connection from BEGIN to COMMIT or ROLLBACK. */
export interface RecordedTransaction {
  readonly statements: readonly RecordedStatement[]
  /** How often the connection was waited for: statements that are sent together share one round trip. */
  readonly trips: number
  /** It moved the head of the journal. */
  readonly isCommit: boolean
}

export interface StatementRecording {
  /** The transactions that ended since the last call. */
  take(): readonly RecordedTransaction[]
  stop(): void
}

interface Open {
  statements: RecordedStatement[]
  trips: number
}

/** Records every transaction of every connection to PostgreSQL in this process. */
export function recordStatements(): StatementRecording {
  let done: RecordedTransaction[] = []
  const open = new WeakMap<object, Open>()
  const waiting = new WeakMap<object, number>()
  const { query } = pg.Client.prototype

  function note(client: object, given: unknown): void {
    const { name, text, values = [] } = typeof given === 'string' ? { text: given } : (given as RecordedStatement)
    if (text.startsWith('BEGIN')) open.set(client, { statements: [], trips: 0 })
    const transaction = open.get(client)
    if (transaction === undefined) return
    if ((waiting.get(client) ?? 0) === 0) transaction.trips += 1
    transaction.statements.push({ name, text, values })
    if (text !== 'COMMIT' && text !== 'ROLLBACK') return
    open.delete(client)
    const isCommit = text === 'COMMIT' && transaction.statements.some((one) => one.name === 'move-head')
    done.push({ ...transaction, isCommit })
  }

  function noting(this: pg.Client, ...args: Parameters<typeof query>): Promise<unknown> {
    note(this, args[0])
    waiting.set(this, (waiting.get(this) ?? 0) + 1)
    const over = () => waiting.set(this, (waiting.get(this) ?? 0) - 1)
    const answer: unknown = Reflect.apply(query, this, args)
    const answered = Promise.resolve(answer)
    answered.then(over, over)
    return answered
  }
  Object.assign(pg.Client.prototype, { query: noting })

  return {
    take() {
      const taken = done
      done = []
      return taken
    },
    stop() {
      Object.assign(pg.Client.prototype, { query })
    },
  }
}
