import { randomUUID } from 'node:crypto'
import {
  type CallQuery,
  type Change,
  type Committed,
  CountersignError,
  type GateBoard,
  type SharedRows,
} from '@countersign/core'
import { parseStoreAddress, type StoreAddress } from './connection/address.ts'
import { type Answer, type Statement, TIMEOUTS } from './connection/client.ts'
import { storeError } from './connection/postgres-error.ts'
import { openReaders, type Readers } from './connection/readers.ts'
import { openGateBoard } from './gates/gate-board.ts'
import { type Machine, type MachineLease, openLease } from './lease/machine-lease.ts'
import { ChangeListener } from './listen/change-listener.ts'
import { ForeignChanges } from './listen/foreign-changes.ts'
import {
  callsOfStatement,
  callsStatement,
  entriesOfStatement,
  grantsStatement,
  outlineStatements,
} from './read/call-query.ts'
import { CallReads } from './read/call-reads.ts'
import { checkContinues, readGuarded } from './read/guarded-reads.ts'
import { KnownHead } from './read/known-head.ts'
import { callOf, checkpointOf, entryOf, grantOf, headOf, spanOf } from './read/rows.ts'
import { count, stored, text } from './read/values.ts'
import { workspaceChangesOf, workspaceStatements, workspacesStatement } from './read/workspace-changes.ts'
import { type Table, tablesOf } from './schema/schema.ts'
import { findMovedStore } from './schema/schema-version.ts'
import { ServerClock, SYSTEM_CLOCK, usesDeadlines } from './server/server-clock.ts'
import { openSharedRows } from './services/shared-rows.ts'
import type { PostgresStore, PostgresStoreOptions } from './store-options.ts'
import { CommitQueue } from './write/commit-queue.ts'
import type { SharedChange } from './write/rows-to-write.ts'
import { Writer } from './write/transaction.ts'

const DOING = { CS_STORE_OPEN: 'open', CS_STORE_READ: 'read', CS_STORE_WRITE: 'write' } as const

/** Rows deleted at once after a rotation: other writers get their turn in between. */
const PURGE = 5000
/** How long the outcome of a commit is looked for after its connection was lost. */
const RESOLVE_MS = 6000

/**
 * Opens the store at `postgres://…`, whose tables exist already (`migrateSchema`). Several gates on several machines may
 * have it open at once.
 */
export async function openPostgresStore(address: string, options: PostgresStoreOptions): Promise<PostgresStore> {
  const parsed = parseStoreAddress(address)
  const store = new OpenStore(parsed, options)
  try {
    await store.start()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

class OpenStore implements PostgresStore {
  readonly #address: StoreAddress
  readonly #table: Table
  readonly #options: PostgresStoreOptions
  readonly #readers: Readers
  readonly #calls: CallReads
  readonly #writer: Writer
  readonly #queue: CommitQueue
  readonly gates: GateBoard
  readonly shared: SharedRows
  readonly clock: ServerClock
  readonly #changes = new ForeignChanges(0)
  readonly #listener: ChangeListener
  readonly #head: KnownHead
  readonly #leases: MachineLease[] = []
  #isOpen = true

  constructor(address: StoreAddress, options: PostgresStoreOptions) {
    this.#address = address
    this.#table = tablesOf(address.schema)
    this.#options = options
    this.#head = new KnownHead(address.shown, options.known?.size ?? 0)
    this.#readers = openReaders(address, TIMEOUTS)
    this.clock = new ServerClock(options.clock ?? SYSTEM_CLOCK, (statements) => this.#read(statements))
    this.#calls = new CallReads((ids) => this.#rows(callsOfStatement(this.#table, ids)))
    const news = randomUUID()
    this.#writer = new Writer({
      address,
      table: this.#table,
      crypto: options.crypto,
      timeouts: TIMEOUTS,
      resolveMs: RESOLVE_MS,
      news,
      check: (head, mark) => this.#head.check(head, mark),
      mark: () => this.#head.mark,
      committed: ({ revision }, size, leaf) => {
        this.#changes.commitOwn(revision, revision + 1)
        this.#head.grow(size, leaf)
      },
    })
    this.#queue = new CommitQueue((changes) => this.#write(changes))
    this.#listener = new ChangeListener({
      address,
      timeouts: TIMEOUTS,
      changes: this.#changes,
      news,
      revision: () => this.#revision(),
      gates: (version) => this.#head.hearOfGates(version),
    })
    const rows = {
      table: this.#table,
      read: (statement: Statement) => this.#rows(statement),
      run: (statement: Statement) => this.#run(statement),
    }
    this.shared = openSharedRows(rows)
    this.gates = openGateBoard({
      ...rows,
      version: () => {
        this.version() // listens, or compares
        return this.#head.gates
      },
      commit: (gateList, entry) => this.#commit({ entries: [entry], gateList, durable: true }),
    })
  }

  async start(): Promise<void> {
    this.#changes.commitOwn(0, await this.#guard('CS_STORE_OPEN', () => this.#revision('CS_STORE_OPEN')))
    const { known, crypto } = this.#options
    const reading = { table: this.#table, head: this.#head, rows: (one: Statement) => this.#rows(one) }
    await checkContinues(known, { ...reading, crypto, source: this })
    await this.clock.measure()
  }

  async commit(change: Change): Promise<Committed> {
    await this.#options.mayWrite?.()
    // Each change waits one turn, whether or not it is checked: they stay in their order.
    await (usesDeadlines(change) ? this.clock.check() : undefined)
    const committed = await this.#commit(change)
    const archived = change.archive?.at(-1)?.to
    if (committed.kind === 'committed' && archived !== undefined) await this.#purge(archived)
    return committed
  }

  async saveCheckpoint(size: number, note: string): Promise<void> {
    const sql = `INSERT INTO ${this.#table('checkpoint')} VALUES ($1, $2) ON CONFLICT DO NOTHING`
    await this.#run({ text: sql, values: [size, stored(note)] })
  }

  call(id: string) {
    return this.#calls.call(id)
  }

  async calls(query: CallQuery) {
    return (await this.#rows(callsStatement(this.#table, query))).map(callOf)
  }

  async grants() {
    const now = (this.#options.now ?? Date.now)()
    return (await this.#rows(grantsStatement(this.#table, now))).map(grantOf).reverse()
  }

  async counted(session: string, name: string, from: number) {
    const sql = `SELECT coalesce(sum(amount), 0) AS n FROM ${this.#table('counter')} WHERE session = $1 AND name = $2 AND at >= $3`
    const values = [stored(session), stored(name), Math.ceil(from)]
    return count((await this.#rows({ name: 'counted', text: sql, values }))[0], 'n')
  }

  async changes(workspace: string) {
    return workspaceChangesOf(workspace, await this.#read(workspaceStatements(this.#table, workspace)))
  }

  async changedWorkspaces() {
    return (await this.#rows(workspacesStatement(this.#table))).map((row) => text(row, 'workspace'))
  }

  version(): number {
    if (!this.#isOpen) throw this.#closed('CS_STORE_READ')
    return this.#listener.version()
  }

  listening() {
    return this.#listener.state
  }

  async lease(machine: Machine, leaseMs?: number): Promise<MachineLease> {
    const lease = await openLease({
      table: this.#table,
      machine,
      run: (statements) => this.#guard('CS_STORE_WRITE', () => this.#writer.run(statements)),
      renewed: () => this.clock.measure(),
      ...(leaseMs === undefined ? {} : { leaseMs }),
    })
    this.#leases.push(lease)
    return lease
  }

  async steadyVersion(): Promise<number> {
    // A comparison under way may have read before: the next one has not.
    await this.#listener.compare()
    await this.#listener.compare()
    return this.version()
  }

  async head() {
    const sql = `SELECT size, frontier FROM ${this.#table('head')} WHERE one = 1`
    return headOf((await this.#rows({ name: 'head', text: sql, values: [] }))[0] ?? {})
  }

  async entries(from: number, to: number) {
    const sql = `SELECT seq, line, leaf FROM ${this.#table('entry')} WHERE seq BETWEEN $1 AND $2 ORDER BY seq`
    return (await this.#rows({ name: 'entries-between', text: sql, values: [from, to] })).map(entryOf)
  }

  async entriesOf(callId: string) {
    return (await this.#rows(entriesOfStatement(this.#table, callId))).map(entryOf)
  }

  async outlineOf(callId: string, most: number) {
    const [first, last, all] = await this.#read(outlineStatements(this.#table, callId, most))
    const rows = [...(first?.rows ?? []), ...(last?.rows ?? [])].map(entryOf)
    const entries = [...new Map(rows.map((row) => [row.seq, row])).values()].sort((a, b) => a.seq - b.seq)
    return { entries, more: count(all?.rows[0], 'n') - entries.length }
  }

  async spans() {
    return (await this.#rows({ text: `SELECT * FROM ${this.#table('span')} ORDER BY "from"`, values: [] })).map(spanOf)
  }

  async checkpoints() {
    const sql = `SELECT * FROM ${this.#table('checkpoint')} ORDER BY size`
    return (await this.#rows({ text: sql, values: [] })).map(checkpointOf)
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const lease of this.#leases) lease.close()
    await this.#queue.close()
    await Promise.all([this.#listener.close(), this.#writer.close(), this.#readers.close()])
  }

  #commit(change: SharedChange): Promise<Committed> {
    return this.#guard('CS_STORE_WRITE', () => this.#queue.add(change))
  }

  async #write(changes: readonly SharedChange[]) {
    this.#changes.beginOwn()
    try {
      return await this.#writer.write(changes)
    } finally {
      this.#changes.endOwn()
    }
  }

  /** Drops archived lines. What fails here is only left over: these rows are no part of the journal any more. */
  async #purge(through: number): Promise<void> {
    const entry = this.#table('entry')
    const text = `DELETE FROM ${entry} WHERE seq <= $1 AND seq < (SELECT min(seq) FROM ${entry}) + ${PURGE}`
    for (;;) {
      const answers = await this.#writer.run([{ text, values: [through] }]).catch(() => [])
      if ((answers[0]?.rowCount ?? 0) === 0) return
    }
  }

  async #revision(code: 'CS_STORE_OPEN' | 'CS_STORE_READ' = 'CS_STORE_READ'): Promise<number> {
    return (await this.#guarded(code, [])).revision
  }

  async #run(statement: Statement): Promise<Answer | undefined> {
    return (await this.#guard('CS_STORE_WRITE', () => this.#writer.run([statement])))[0]
  }

  async #rows(statement: Statement) {
    return (await this.#read([statement]))[0]?.rows ?? []
  }

  async #read(statements: readonly Statement[]): Promise<readonly Answer[]> {
    return (await this.#guarded('CS_STORE_READ', statements)).answers
  }

  #guarded(code: 'CS_STORE_OPEN' | 'CS_STORE_READ', statements: readonly Statement[]) {
    const parts = { table: this.#table, readers: this.#readers, head: this.#head }
    return this.#guard(code, () => readGuarded(parts, statements))
  }

  async #guard<T>(code: keyof typeof DOING, run: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw this.#closed(code)
    try {
      return await run()
    } catch (error) {
      const moved = await findMovedStore(this.#address, error)
      throw moved ?? storeError(error, code, `cannot ${DOING[code]} the store \`${this.#address.shown}\``)
    }
  }

  #closed = (code: keyof typeof DOING): CountersignError =>
    new CountersignError(code, `the store \`${this.#address.shown}\` was closed; open it again`)
}
