import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import pg from 'pg'

/** The address of a store with tables that nobody used before. */
export async function freshTables(server: PostgresServer): Promise<string> {
  const address = server.freshAddress()
  await migrateSchema(parseStoreAddress(address))
  return address
}

export function schemaOf(address: string): string {
  return parseStoreAddress(address).schema
}

/** A connection as the store's, with the same driver and pipelining. */
export async function clientAt(address: string): Promise<pg.Client> {
  const { host, port, user, database } = parseStoreAddress(address)
  const client = new pg.Client({ host, port, user, database, pipeline: true })
  await client.connect()
  return client
}
