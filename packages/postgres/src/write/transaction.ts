import { randomUUID } from 'node:crypto'
import { CountersignError, type Crypto } from '@countersign/core'
import type pg from 'pg'
import type { StoreAddress } from '../connection/address.ts'
import {
  type Answer,
  answerOf,
  beginWith,
  connect,
  cut,
  part,
  rest,
  type Settled,
  type Statement,
  send,
  settle,
  type Timeouts,
  wake,
} from '../connection/client.ts'
import { isAnswer, isDataError, isEnding } from '../connection/postgres-error.ts'
import type { Mark } from '../read/known-head.ts'
import type { Table } from '../schema/schema.ts'
import { type Known, questionsOf } from './known.ts'
import { findOutcome, type LostOutcome } from './outcome.ts'
import { Plan } from './plan.ts'
import type { Written } from './planned-rows.ts'
import type { SharedChange } from './rows-to-write.ts'
import { writeStatements } from './statements.ts'

/** What a writer needs. */
export interface WriterOptions {
  readonly address: StoreAddress
  readonly table: Table
  readonly crypto: Crypto
  readonly timeouts: Timeouts
  /** How long the outcome of a lost commit is looked for. */
  readonly resolveMs: number
  /** Names this process in the announcement of its commits. */
  readonly news: string
  /** Refuses what must not be written on: another version, a journal shorter than known. */
  check(head: Known['head'], mark: Mark): void
  /** The newest entry whose content this process knows. */
  mark(): Mark
  /** Called after each commit with the head it found, the size it made, and the hash of the last entry if it added any. */
  committed(found: Known['head'], size: number, leaf: string | undefined): void
}

/** Commits groups of changes, one after another, on a connection of its own. */
export class Writer {
  readonly #options: WriterOptions
  #client: pg.Client | undefined
  #mayRelax = false
  #commits = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /**
   * Writes changes in one transaction, each of them whole or not at all. A throw means that nothing of the group happened,
   * but CS_STORE_UNSURE that this is not known.
   */
  write(changes: readonly SharedChange[]): Promise<readonly Written[]> {
    return this.#alone(() => this.#write(changes))
  }

  /** One transaction at a time on the connection. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #write(changes: readonly SharedChange[]): Promise<readonly Written[]> {
    const began = performance.now()
    try {
      return await this.#attempt(changes)
    } catch (error) {
      if (isUnwritable(error) && changes.length > 1) return this.#writeApart(changes)
      if (error instanceof CountersignError || isAnswer(error) || isUnwritable(error)) throw error
      // Nothing happened, and the connection was lost: as when the server restarted, or ended an idle one.
      if (performance.now() - began > RETRY_WITHIN_MS) throw error
      return this.#attempt(changes)
    }
  }

  /** Runs statements that no commit depends on, in a transaction of their own. */
  run(statements: readonly Statement[]): Promise<readonly Answer[]> {
    return this.#alone(async () => {
      const { timeouts } = this.#options
      const client = await this.#connected()
      wake(client)
      try {
        const all = [{ text: beginWith('', timeouts) }, ...statements, { text: 'COMMIT' }]
        const answers = await send(client, all, timeouts)
        rest(client)
        return answers.slice(1, -1)
      } catch (error) {
        this.#drop(client)
        throw error
      }
    })
  }

  async close(): Promise<void> {
    await this.#last
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await part(client)
  }

  /** A value that the server refuses takes only its own change along. */
  async #writeApart(changes: readonly SharedChange[]): Promise<readonly Written[]> {
    const written: Written[] = []
    for (const change of changes) {
      try {
        written.push(...(await this.#attempt([change])))
      } catch (error) {
        if (error instanceof CountersignError && error.code === 'CS_STORE_UNSURE') written.push({ error })
        else if (isUnwritable(error)) written.push({ error })
        else return [...written, ...changes.slice(written.length).map(() => ({ error }))]
      }
    }
    return written
  }

  async #attempt(changes: readonly SharedChange[]): Promise<readonly Written[]> {
    const { table, crypto, timeouts, check } = this.#options
    const client = await this.#connected()
    wake(client)
    try {
      const mark = this.#options.mark()
      const questions = questionsOf(table, changes, mark.size)
      const answers = await send(client, [{ text: beginWith('', timeouts) }, ...questions.statements], timeouts)
      const known = questions.known(answers.slice(1))
      check(known.head, mark)
      const plan = new Plan(known, crypto)
      const written = changes.map((change) => plan.add(change))
      if (written.some(isDone)) await this.#commit(client, plan, known)
      else await send(client, [{ text: 'ROLLBACK' }], timeouts)
      rest(client)
      return written
    } catch (error) {
      // Whatever is open on it ends with it.
      this.#drop(client)
      throw error
    }
  }

  async #commit(client: pg.Client, plan: Plan, { xid, server, head }: Known): Promise<void> {
    const { address, table, timeouts, news, committed, resolveMs } = this.#options
    const id = randomUUID()
    const rows = plan.rows()
    this.#commits += 1
    const statements = [
      ...writeStatements(table, address.schema, rows, { id, news, mayRelax: this.#mayRelax }),
      ...(this.#commits % PRUNE_EVERY === 0 ? [pruneStatement(table)] : []),
    ]
    const settled = await settle(client, [...statements, UNBOUND, { text: 'COMMIT' }], timeouts)
    const outcome = outcomeOf(settled)
    const found =
      outcome === 'lost' ? await findOutcome(address, table, { xid, server, id }, timeouts, resolveMs) : outcome
    if (found === 'committed') return committed(head, rows.size, rows.entries.at(-1)?.leaf)
    if (found === 'unsure') throw unsure(address.shown, settled)
    for (const one of settled) answerOf(one)
    throw new CountersignError('CS_STORE_WRITE', `the store \`${address.shown}\` undid a commit; try again`)
  }

  async #connected(): Promise<pg.Client> {
    const { address, timeouts } = this.#options
    if (this.#client !== undefined) return this.#client
    const client = await connect(address, timeouts)
    client.on('end', () => this.#drop(client))
    this.#client = client
    this.#mayRelax = await flushesSoon(client, timeouts)
    return client
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
    cut(client)
  }
}

/** Together with the other bounds, an answer comes before the store port gives up. */
const RETRY_WITHIN_MS = 2000

/** Notes of commits are needed while their outcome is looked for. */
const PRUNE_EVERY = 1000

/**
 * The server would confirm a commit that waited too long for a synchronous standby, although the standby lacks it. Without
 * this bound the wait ends with our connection, and the outcome is found out.
 */
const UNBOUND = { text: 'SET LOCAL statement_timeout = 0' }

function pruneStatement(table: Table) {
  return { text: `DELETE FROM ${table('applied')} WHERE at < clock_timestamp() - interval '1 day'`, values: [] }
}

function isDone(written: Written): boolean {
  return 'committed' in written && written.committed.kind === 'committed'
}

/** The error of one change: a value that the server refuses, or that was none of the expected type. */
function isUnwritable(error: unknown): boolean {
  return isDataError(error) || error instanceof TypeError
}

/** INVARIANT: L3, only the tag counts: a COMMIT after an error succeeds as ROLLBACK. */
function outcomeOf(settled: readonly Settled[]): LostOutcome | 'lost' {
  const last = settled.at(-1)
  if (last?.status === 'fulfilled') {
    if (last.value.command !== 'COMMIT') return 'nothing happened'
    // A statement that never left this process: the rest is committed without it.
    return settled.every(({ status }) => status === 'fulfilled') ? 'committed' : 'unsure'
  }
  return isEnding(last?.reason) ? 'lost' : 'nothing happened'
}

function unsure(shown: string, settled: readonly Settled[]): CountersignError {
  const failed = settled.find((one) => one.status === 'rejected')
  return new CountersignError(
    'CS_STORE_UNSURE',
    `the connection to the store \`${shown}\` was lost during a commit, and its outcome can’t be found out; check the call in the journal before asking again`,
    { cause: failed?.reason },
  )
}

const WRITER_DELAY =
  "SELECT setting::int AS ms FROM pg_settings WHERE name = 'wal_writer_delay' AND current_setting('synchronous_standby_names') = ''"

/**
 * Whether the server writes relaxed commits to the disk within the 50 ms that a store may take. With a synchronous standby
 * none is relaxed, so that a failover loses nothing.
 */
async function flushesSoon(client: pg.Client, timeouts: Timeouts): Promise<boolean> {
  const [answer] = await send(client, [{ text: WRITER_DELAY, values: [] }], timeouts)
  const ms = answer?.rows[0]?.['ms']
  return typeof ms === 'number' && ms * 3 <= 50
}
