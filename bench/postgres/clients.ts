import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { rawClient } from '@countersign/testing/postgres/raw-client'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import type pg from 'pg'

/** What is added to the name of a row, and how many times longer than its floor it may take; undefined to only measure it. */
export interface Goal {
  readonly about: string
  readonly most: number | undefined
}

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
export function clientAt(address: string): Promise<pg.Client> {
  return rawClient(address, { pipeline: true })
}
