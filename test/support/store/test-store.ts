import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Crypto, Store } from '@countersign/core'
import { type Home, openSqliteStore, readStoreSetting, writeStoreSetting } from '@countersign/node'
import { migrateSchema, openPostgresStore, parseStoreAddress } from '@countersign/postgres'
import { rawClient } from '../postgres/raw-client.ts'
import { announce } from './work-under-way.ts'

/** The address of the server that the tests of this project keep their stores on; undefined for SQLite. */
const server = process.env['COUNTERSIGN_TEST_SERVER']

/** The kind of store that the tests of this project use. */
export const STORE = server === undefined ? 'sqlite' : 'postgres'

/** Gives a new home the store of this project: the default, or a schema of its own. */
export async function placeStore(home: Home): Promise<void> {
  if (server === undefined || existsSync(home.storeSetting) || existsSync(home.store)) return
  const address = `${server}&schema=t_${randomUUID().replaceAll('-', '')}`
  await migrateSchema(parseStoreAddress(address))
  writeStoreSetting(home, address)
}

type StoredRow = { readonly [column: string]: SQLInputValue }

/**
 * Runs SQL on the store of a home, like an attacker who writes to the database past the gate. `?` is a value, and columns
 * in camel case are quoted.
 */
export async function tamper(
  home: Home,
  sql: string,
  ...values: readonly SQLInputValue[]
): Promise<readonly StoredRow[]> {
  const address = readStoreSetting(home)
  if (address !== null) return tamperOnPostgres(address, sql, values)
  const database = new DatabaseSync(home.store)
  try {
    if (values.length > 0 || sql.startsWith('SELECT')) return database.prepare(sql).all(...values)
    database.exec(sql)
    return []
  } finally {
    database.close()
  }
}

async function tamperOnPostgres(
  address: string,
  sql: string,
  values: readonly SQLInputValue[],
): Promise<readonly StoredRow[]> {
  const { schema } = parseStoreAddress(address)
  const client = await rawClient(address)
  try {
    let at = 0
    const text = sql.replaceAll('?', () => `$${++at}`)
    await client.query(`SET search_path = "${schema}"`)
    const { rows } = await client.query<StoredRow>(text, [...values])
    // SQLite tells every process of any change; here a revision does.
    await client.query('UPDATE head SET revision = revision + 1')
    announce()
    return rows
  } finally {
    await client.end()
  }
}

/** The store of a home without a memory of what it contained, as on an auditor's machine. */
export async function openStoreAgain(home: Home, crypto: Crypto): Promise<Store> {
  const address = readStoreSetting(home)
  return address === null ? openSqliteStore(home.store, { crypto }) : openPostgresStore(address, { crypto })
}
