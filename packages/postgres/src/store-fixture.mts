// Real stores for the tests in this folder. The extension keeps it out of the build.
import { join } from 'node:path'
import { openCrypto, openHome } from '@countersign/node'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { parseStoreAddress } from './connection/address.ts'
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
import { migrateSchema } from './schema/schema-version.ts'

export { call, close, entry, open } from '@countersign/testing/store/changes'

/** A store in a schema of its own, closed when the test ends. */
export async function openedOn(server: PostgresServer, options: Partial<PostgresStoreOptions> = {}) {
  const address = server.freshAddress()
  await migrateSchema(parseStoreAddress(address))
  const crypto = openCrypto(openHome(join(temporaryFolder(), 'home')))
  const again = async (more: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> => {
    const store = await openPostgresStore(address, { crypto, ...options, ...more })
    onTestFinished(() => store.close())
    return store
  }
  const store = await again()
  return { store, address, crypto, again: () => again(), reopened: again, steadyVersion: () => store.steadyVersion() }
}
