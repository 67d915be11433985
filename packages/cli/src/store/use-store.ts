import { existsSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import {
  controlService,
  type Home,
  loadPostgres,
  openCrypto,
  openHeads,
  openHomeStore,
  readStoreSetting,
  removeStoreSetting,
} from '@countersign/node'

/**
 * Sets a home to a store on PostgreSQL, after connecting to it. INVARIANT: a home has one journal; one that already has
 * entries elsewhere keeps its store.
 */
export async function useStore(home: Home, address: string): Promise<'set' | 'was set'> {
  const set = readSetting(home)
  if (set === address) return 'was set'
  const { parseStoreAddress } = await loadPostgres()
  const { shown } = parseStoreAddress(address)
  if ((await controlService(home, { do: 'status' }).catch(() => 'running')) !== undefined)
    throw new CountersignError('CS_SERVICE', 'a service uses this home; run `countersign stop` first')
  const size = await journalSize(home, set)
  if (size > 0)
    throw new CountersignError(
      'CS_STORE_OPEN',
      `this home has a journal of ${size} entries in its present store, which can’t be moved to \`${shown}\` yet; choose a new home with \`--home\``,
    )
  if (set !== null) removeStoreSetting(home)
  const { store } = await openHomeStore(home, { crypto: openCrypto(home), store: address })
  await store.close()
  return 'set'
}

/** The setting; 'damaged' if it can't be read, so that setting it again mends it. */
function readSetting(home: Home): string | null | 'damaged' {
  try {
    return readStoreSetting(home)
  } catch (error) {
    if (existsSync(home.storeSetting)) return 'damaged'
    throw error
  }
}

async function journalSize(home: Home, set: string | null | 'damaged'): Promise<number> {
  if (set === 'damaged' || (set === null && !existsSync(home.store))) return (await openHeads(home).kept()).length
  const { store } = await openHomeStore(home, { crypto: openCrypto(home) })
  try {
    return (await store.head()).size
  } finally {
    await store.close()
  }
}
