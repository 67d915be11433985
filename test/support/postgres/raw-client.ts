import { parseStoreAddress } from '@countersign/postgres'
import pg from 'pg'

/** A connection to the server of a store, for what tests do behind the store's back; the caller ends it. */
export async function rawClient(address: string, { pipeline = false } = {}): Promise<pg.Client> {
  const { servers, user, database } = parseStoreAddress(address)
  const client = new pg.Client({ ...servers[0], user, database, pipeline })
  await client.connect()
  return client
}
