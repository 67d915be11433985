import { Socket } from 'node:net'
import { CountersignError } from '@countersign/core'
import pg from 'pg'
import type { StoreAddress } from './address.ts'
import { codeOf, NO_PRIMARY } from './postgres-error.ts'
import type { StoreServer } from './servers.ts'

/** One statement. A named one is prepared once per connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** A row as the driver returns it. */
export type Row = { readonly [column: string]: unknown }

/** The answer to one statement. */
export interface Answer {
  readonly command: string
  /** How many rows it changed or returned. */
  readonly rowCount: number | null
  readonly rows: readonly Row[]
}

/** INVARIANT: L10, bounds of every statement, in milliseconds. Together they stay below the timeout of the store port. */
export interface Timeouts {
  readonly connect: number
  /** One statement. */
  readonly statement: number
  /** Waiting for another gate. */
  readonly lock: number
  /** A transaction of ours that sends nothing, as when this process is stopped. */
  readonly idle: number
  /** The longest wait for an answer, when the network swallows it. */
  readonly answer: number
}

export const TIMEOUTS: Timeouts = { connect: 3000, statement: 4500, lock: 4000, idle: 3000, answer: 5000 }

/** Numbers of the server are JavaScript numbers: none of ours exceeds 2^53. */
const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** While a connection is in use, it keeps the process alive. */
export function wake({ connection: { stream } }: pg.Client): void {
  if (stream instanceof Socket) stream.ref()
}

/** An idle connection does not keep the process alive. */
export function rest({ connection: { stream } }: pg.Client): void {
  if (stream instanceof Socket) stream.unref()
}

/** Ends a connection at once, whatever it is doing. */
export function cut({ connection: { stream } }: pg.Client): void {
  stream.destroy()
}

/** Ends an idle connection, and waits until the server knows; not for long, when the network swallows the farewell. */
export async function part(client: pg.Client): Promise<void> {
  wake(client)
  const timer = setTimeout(() => cut(client), TIMEOUTS.connect)
  try {
    await client.end()
  } finally {
    clearTimeout(timer)
  }
}

/** Connections whose statements are never prepared by name. */
const unprepared = new WeakSet<pg.Client>()

/** The server that took writes last: of several, it is tried first. */
const preferred = new WeakMap<StoreAddress, StoreServer>()

/** A connection of its own. It does not keep the process alive; whoever waits for it does. */
export async function connect(address: StoreAddress, timeouts: Timeouts): Promise<pg.Client> {
  const { servers } = address
  const [only] = servers
  if (only !== undefined && servers.length === 1) return connectTo(only, address, timeouts)
  const first = preferred.get(address)
  const ordered = first === undefined ? servers : [first, ...servers.filter((one) => one !== first)]
  const each = { ...timeouts, connect: timeouts.connect / servers.length }
  let failed: unknown
  for (const server of ordered) {
    try {
      const client = await connectTo(server, address, each)
      if (await takesWrites(client, each)) {
        preferred.set(address, server)
        return client
      }
      cut(client)
      failed = Object.assign(new Error('every server that answers is a standby'), { code: NO_PRIMARY })
    } catch (error) {
      // That a standby answered tells more than that another server did not.
      if (codeOf(failed) !== NO_PRIMARY) failed = error
    }
  }
  throw failed
}

async function connectTo(server: StoreServer, address: StoreAddress, timeouts: Timeouts): Promise<pg.Client> {
  const client = new pg.Client(configOf(server, address, timeouts))
  client.on('error', () => {}) // every query in progress has the error, and the next one fails
  await client.connect()
  if (!address.prepare) unprepared.add(client)
  return client
}

const IS_STANDBY =
  "SELECT pg_catalog.pg_is_in_recovery() OR pg_catalog.current_setting('default_transaction_read_only')::bool AS standby"

/** What `target_session_attrs=read-write` means. */
async function takesWrites(client: pg.Client, timeouts: Timeouts): Promise<boolean> {
  const answers = await send(client, [{ text: IS_STANDBY }], { ...timeouts, answer: timeouts.connect })
  return answers[0]?.rows[0]?.['standby'] === false
}

function configOf(
  { host, port }: StoreServer,
  { user, password, database, tls }: StoreAddress,
  timeouts: Timeouts,
): pg.ClientConfig {
  return {
    host,
    port,
    user,
    database,
    // A function: the driver would look into the environment and files of the account for a missing password.
    password: () => {
      if (password !== null) return password
      throw new CountersignError('CS_STORE_OPEN', 'the server asks for a password; add it to the address of the store')
    },
    ssl: tls,
    client_encoding: 'UTF8',
    application_name: 'countersign',
    connectionTimeoutMillis: timeouts.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types,
  }
}

/**
 * How statements are planned: by an index also where a table is still small. A prepared plan is kept while the table grows,
 * until the server next counts its rows.
 */
const PLANNING = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off'

/** Sets the bounds for one transaction; for the connection they would be lost behind a pooler. */
export function beginWith(mode: string, { statement, lock, idle }: Timeouts): string {
  return (
    `BEGIN ${mode}; ${PLANNING}; SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${idle}; SET LOCAL client_min_messages = error; ` +
    'SET LOCAL search_path = pg_catalog'
  )
}

/** What became of each statement: its answer, or why there is none. */
export type Settled = PromiseSettledResult<Answer>

/** Sends statements at once and waits for all answers. Throws the first error. */
export async function send(
  client: pg.Client,
  statements: readonly Statement[],
  timeouts: Timeouts,
): Promise<readonly Answer[]> {
  return (await settle(client, statements, timeouts)).map(answerOf)
}

/** The same with an answer or an error for each. If they do not come in time, the connection is ended. */
export async function settle(
  client: pg.Client,
  statements: readonly Statement[],
  timeouts: Timeouts,
): Promise<readonly Settled[]> {
  const answers = Promise.allSettled(statements.map((statement) => ask(client, statement)))
  const timer = setTimeout(() => cut(client), timeouts.answer)
  try {
    return await answers
  } finally {
    clearTimeout(timer)
  }
}

export function answerOf(settled: Settled): Answer {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

async function ask(client: pg.Client, { name, text, values }: Statement): Promise<Answer> {
  const answer: Answer =
    values === undefined
      ? await client.query(text)
      : await client.query({
          text,
          values: [...values],
          ...(name === undefined || unprepared.has(client) ? {} : { name }),
        })
  return answer
}
