import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/core'
import pg from 'pg'
import type { StoreAddress } from './address.ts'

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

export const TIMEOUTS: Timeouts = { connect: 5000, statement: 8000, lock: 5000, idle: 4000, answer: 10_000 }

/** Numbers of the server are JavaScript numbers: none of ours exceeds 2^53. */
const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** A connection of its own. It does not keep the process alive; whoever waits for it does. */
export async function connect(address: StoreAddress, timeouts: Timeouts): Promise<pg.Client> {
  const client = new pg.Client(configOf(address, timeouts))
  client.on('error', () => {}) // every query in progress has the error, and the next one fails
  await client.connect()
  return client
}

function configOf({ host, port, user, password, database, tls }: StoreAddress, timeouts: Timeouts): pg.ClientConfig {
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

/** Sets the bounds for one transaction; for the connection they would be lost behind a pooler. */
export function beginWith(mode: string, { statement, lock, idle }: Timeouts): string {
  return (
    `BEGIN ${mode}; SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${idle}; SET LOCAL client_min_messages = error; ` +
    'SET LOCAL search_path = pg_catalog'
  )
}

/**
 * Sends statements at once and waits for all answers. Throws the first error, or after `answer` milliseconds; the
 * connection is unusable then.
 */
export async function send(
  client: pg.Client,
  statements: readonly Statement[],
  timeouts: Timeouts,
): Promise<readonly Answer[]> {
  const answers = Promise.allSettled(
    statements.map(({ name, text, values }) =>
      values === undefined
        ? client.query(text)
        : client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) }),
    ),
  )
  const late = new AbortController()
  const timeout = pause(timeouts.answer, 'late' as const, { signal: late.signal }).catch(() => 'late' as const)
  const settled = await Promise.race([answers, timeout])
  late.abort()
  if (settled === 'late') {
    client.connection.stream.destroy()
    throw new CountersignError('CS_STORE_READ', 'the store did not answer in time; check the server and the network')
  }
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    const { command, rows }: { readonly command: string; readonly rows: readonly Row[] } = one.value
    return { command, rows }
  })
}
