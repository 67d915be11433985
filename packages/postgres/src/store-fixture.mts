// Real stores for the tests in this folder. The extension keeps it out of the build.
import { join } from 'node:path'
import { type Crypto, verifyJournal } from '@countersign/core'
import { openCrypto, openHome } from '@countersign/node'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, onTestFinished } from 'vitest'
import { parseStoreAddress } from './connection/address.ts'
import { type Answer, connect, send, TIMEOUTS } from './connection/client.ts'
import { openPostgresStore } from './postgres-store.ts'
import { migrateSchema } from './schema/schema-version.ts'
import type { PostgresStore, PostgresStoreOptions } from './store-options.ts'

export { call, close, entry, open } from '@countersign/testing/store/changes'

/** A new schema, and keys for its stores. */
export async function freshSchema(server: PostgresServer) {
  const address = server.freshAddress()
  await migrateSchema(parseStoreAddress(address))
  const home = join(temporaryFolder(), 'home')
  return { address, home, crypto: openCrypto(openHome(home)) }
}

/** Opens a store, and closes it when the test ends. */
export async function openedAt(address: string, options: PostgresStoreOptions): Promise<PostgresStore> {
  const store = await openPostgresStore(address, options)
  onTestFinished(() => store.close())
  return store
}

/** A store in a schema of its own. */
export async function openedOn(server: PostgresServer, options: Partial<PostgresStoreOptions> = {}) {
  const { address, crypto } = await freshSchema(server)
  const again = () => openedAt(address, { crypto, ...options })
  const store = await again()
  return { store, address, crypto, again, steadyVersion: () => store.steadyVersion() }
}

/** Runs a statement on the server of a store, as its administrator. `{}` is the schema. */
export async function runOn(address: string, text: string): Promise<Answer['rows']> {
  const parsed = parseStoreAddress(address)
  const client = await connect(parsed, TIMEOUTS)
  try {
    const answers = await send(client, [{ text: text.replaceAll('{}', `"${parsed.schema}"`) }], TIMEOUTS)
    return answers[0]?.rows ?? []
  } finally {
    await client.end()
  }
}

/** The journal has no gap and no foreign entry. */
export async function expectIntact(store: PostgresStore, crypto: Crypto): Promise<void> {
  expect(await verifyJournal(store, { crypto, publicKeys: [] })).toMatchObject({ kind: 'intact' })
}
