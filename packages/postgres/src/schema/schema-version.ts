import { CountersignError, parseEntry, type StoreState, safeText } from '@countersign/core'
import type pg from 'pg'
import type { StoreAddress } from '../connection/address.ts'
import { beginWith, connect, type Row, send, TIMEOUTS, type Timeouts } from '../connection/client.ts'
import { codeOf, storeError } from '../connection/postgres-error.ts'
import { tablesOf } from './schema.ts'
import { SCHEMA_STEPS, SCHEMA_VERSION } from './tables.ts'

/** What became of the tables: created, brought to this program's version, or current already. */
export type Migrated = { readonly kind: 'created' | 'migrated' | 'current'; readonly from: number; readonly to: number }

/** Where the store is: in a file, nowhere yet, or with tables of a version. */
export type SchemaState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'present'; readonly version: number; readonly state: StoreState }

/** Waits of a migration: building an index of a large table takes long. */
const MIGRATION: Timeouts = { ...TIMEOUTS, statement: 600_000, answer: 610_000, lock: 20_000 }

/**
 * Creates the tables, or brings older ones forward, in one transaction: after a failure they are as before. Two programs
 * may migrate at once.
 */
export async function migrateSchema(address: StoreAddress): Promise<Migrated> {
  return withClient(address, async (client) => {
    await send(client, [{ text: beginWith('', MIGRATION) }, lockOf(address)], MIGRATION)
    const state = await stateOf(client, address)
    const mark = state.kind === 'present' && state.state === 'moved' ? MOVED : 0
    const from = state.kind === 'missing' ? 0 : state.version - mark
    if (from > SCHEMA_VERSION) throw newerSchema(address.shown, from)
    if (from === SCHEMA_VERSION) return { kind: 'current', from, to: from }
    const table = tablesOf(address.schema)
    const steps = [
      ...(from === 0 ? [`CREATE SCHEMA IF NOT EXISTS "${address.schema}"`] : []),
      `SET LOCAL search_path = "${address.schema}"`,
      ...SCHEMA_STEPS.slice(from),
      `UPDATE ${table('head')} SET version = ${SCHEMA_VERSION + mark}`,
      'COMMIT',
    ]
    const answers = await send(
      client,
      steps.map((text) => ({ text })),
      MIGRATION,
    )
    if (answers.at(-1)?.command !== 'COMMIT') throw new Error('the migration was rolled back')
    return { kind: from === 0 ? 'created' : 'migrated', from, to: SCHEMA_VERSION }
  })
}

/** Finds the version of a store, without changing anything. */
export function readSchema(address: StoreAddress): Promise<SchemaState> {
  return withClient(address, async (client) => {
    await send(client, [{ text: beginWith('READ ONLY', TIMEOUTS) }], TIMEOUTS)
    return stateOf(client, address)
  })
}

/** Throws unless the store has exactly the version of this program, and gates may use it. */
export async function checkSchema(address: StoreAddress, state: 'in use' | 'any state' = 'in use'): Promise<void> {
  const found = await readSchema(address)
  if (found.kind === 'missing')
    throw new CountersignError(
      'CS_STORE_OPEN',
      `there is no store at \`${address.shown}\`; run \`countersign store migrate\``,
    )
  const now = stateOfVersion(address.shown, found.version)
  if (state === 'any state' || now === 'in use') return
  const moved = movedStore(address.shown)
  throw (await findMovedStore(address, moved)) ?? moved
}

/** Added to the version of a store whose journal goes on in another one: every program stops at it. */
const MOVED = 2_000_000

/** Whether gates may use a store of this version. Throws if this program does not know it. */
export function stateOfVersion(shown: string, version: number): StoreState {
  checkVersion(shown, version >= MOVED ? version - MOVED : version)
  return version >= MOVED ? 'moved' : 'in use'
}

/** The version of a store in this state. */
export function versionOfState(state: StoreState): number {
  return SCHEMA_VERSION + (state === 'moved' ? MOVED : 0)
}

/** INVARIANT: L3, a program that another version overtook stops instead of writing what that version misreads. */
export function checkVersion(shown: string, version: number): void {
  if (version >= MOVED) throw movedStore(shown)
  if (version > SCHEMA_VERSION) throw newerSchema(shown, version)
  if (version < SCHEMA_VERSION)
    throw new CountersignError(
      'CS_STORE_VERSION',
      `\`${shown}\` was made by an older Countersign (store version ${version}, this one uses ${SCHEMA_VERSION}); run \`countersign store migrate\``,
    )
}

/** Replaces an error of a store whose journal goes on in another one, if that is why, by one that names the other. */
export async function findMovedStore(address: StoreAddress, why: unknown): Promise<CountersignError | undefined> {
  if (!(why instanceof CountersignError) || why.code !== 'CS_STORE_OPEN') return undefined
  return withClient(address, async (client) => {
    await send(client, [{ text: beginWith('READ ONLY', TIMEOUTS) }], TIMEOUTS)
    const found = await stateOf(client, address)
    return found.kind === 'present' && found.state === 'moved' ? await movedTo(client, address) : undefined
  }).catch(() => undefined)
}

/** Other gates may have written entries after the one that names the new store. */
const LOOK_BACK = 1000

async function movedTo(client: pg.Client, { schema, shown }: StoreAddress): Promise<CountersignError> {
  const entry = tablesOf(schema)('entry')
  const text =
    `SELECT line FROM ${entry} WHERE seq > (SELECT max(seq) FROM ${entry}) - ${LOOK_BACK} ` +
    `AND line LIKE '%"kind":"store-copied"%' ORDER BY seq DESC LIMIT 1`
  const [answer] = await send(client, [{ text }], TIMEOUTS)
  const line = answer?.rows[0]?.['line']
  const to = typeof line === 'string' ? parseEntry(line)?.['to'] : undefined
  return movedStore(shown, typeof to === 'string' ? `\`${safeText(to)}\`` : undefined)
}

function movedStore(shown: string, to = 'another store'): CountersignError {
  return new CountersignError(
    'CS_STORE_OPEN',
    `the journal of \`${shown}\` goes on in ${to}; run \`countersign store use\` with its address, and restart this program`,
  )
}

function newerSchema(shown: string, version: number): CountersignError {
  return new CountersignError(
    'CS_STORE_VERSION',
    `\`${shown}\` was made by a newer Countersign (store version ${version}, this one knows ${SCHEMA_VERSION}); update this program and restart it`,
  )
}

async function stateOf(client: pg.Client, { schema, shown }: StoreAddress): Promise<SchemaState> {
  const table = tablesOf(schema)
  const found = { text: 'SELECT to_regclass($1) AS head', values: [table('head')] }
  const [exists] = await send(client, [found], MIGRATION)
  if (exists?.rows[0]?.['head'] === null) return { kind: 'missing' }
  try {
    const [head] = await send(client, [{ text: `SELECT version FROM ${table('head')}` }], MIGRATION)
    const version = versionOf(head?.rows[0], shown)
    return { kind: 'present', version, state: version >= MOVED ? 'moved' : 'in use' }
  } catch (error) {
    if (codeOf(error) === '42703') throw notAStore(shown, error)
    throw error
  }
}

function versionOf(row: Row | undefined, shown: string): number {
  const version = row?.['version']
  if (typeof version === 'number' && version >= 1) return version
  throw notAStore(shown)
}

function notAStore(shown: string, cause?: unknown): CountersignError {
  const message = `\`${shown}\` is not a Countersign store; name another schema with \`?schema=\``
  return new CountersignError('CS_STORE_OPEN', message, { cause })
}

/** Only one program migrates a schema at a time. */
function lockOf({ schema }: StoreAddress) {
  return { text: "SELECT pg_advisory_xact_lock(hashtextextended('countersign ' || $1, 0))", values: [schema] }
}

/** Runs work on a connection of its own. */
export async function withClient<T>(address: StoreAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let client: pg.Client | undefined
  try {
    client = await connect(address, TIMEOUTS)
    return await work(client)
  } catch (error) {
    throw storeError(error, 'CS_STORE_OPEN', `cannot open the store \`${address.shown}\``)
  } finally {
    await client?.end()
  }
}
