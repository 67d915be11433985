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
  type StorePlace,
  useCopiedStore,
} from '@countersign/node'
import { placeOf } from './store-address.ts'

/**
 * Sets the store of a home, after connecting to it. INVARIANT: a home has one journal; one with entries uses only a store
 * that continues them.
 */
export async function useStore(home: Home, typed: string): Promise<'set' | 'was set'> {
  const set = readSetting(home)
  const to = placeOf(typed)
  if (set === to) return 'was set'
  if (to !== 'sqlite') (await loadPostgres()).parseStoreAddress(to)
  await refuseService(home)
  const crypto = openCrypto(home)
  if (await hasJournal(home, set)) {
    await useCopiedStore(home, set, to, crypto)
    return 'set'
  }
  if (set !== 'sqlite') removeStoreSetting(home)
  const { store } = await openHomeStore(home, { crypto, ...(to === 'sqlite' ? {} : { store: to }) })
  await store.close()
  return 'set'
}

/** A service has the store open, and would go on with the former one. */
export async function refuseService(home: Home): Promise<void> {
  if ((await controlService(home, { do: 'status' }).catch(() => 'running')) !== undefined)
    throw new CountersignError('CS_SERVICE', 'a service uses this home; run `countersign stop` first')
}

/** The setting; 'damaged' if it can't be read, so that setting it again mends it. */
function readSetting(home: Home): StorePlace | 'damaged' {
  try {
    const set = readStoreSetting(home)
    return set === null ? 'sqlite' : placeOf(set)
  } catch (error) {
    const isDamaged = error instanceof CountersignError && error.code === 'CS_STORE_OPEN'
    if (isDamaged && existsSync(home.storeSetting)) return 'damaged'
    throw error
  }
}

/** Whether there is anything that the next store must continue. */
async function hasJournal(home: Home, set: StorePlace | 'damaged'): Promise<boolean> {
  if ((await openHeads(home).kept()).length > 0 || existsSync(home.gates)) return true
  if (set !== 'sqlite' || !existsSync(home.store)) return false
  const { store } = await openHomeStore(home, { crypto: openCrypto(home) })
  try {
    return (await store.head()).size > 0
  } finally {
    await store.close()
  }
}
