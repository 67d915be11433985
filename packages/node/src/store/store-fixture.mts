// Real stores for the tests in this folder. The extension keeps it out of the build.
import { join } from 'node:path'
import type { Store } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { openHome } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'

export { call, close, entry, open } from '@countersign/testing/store/changes'

export async function opened(
  options: Partial<SqliteStoreOptions> = {},
): Promise<{ store: Store; file: string; again: () => Promise<Store> }> {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  const again = async () => {
    const store = await openSqliteStore(home.store, { crypto, ...options })
    onTestFinished(() => store.close())
    return store
  }
  return { store: await again(), file: home.store, again }
}
