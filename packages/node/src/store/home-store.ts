import { CountersignError, type Crypto, type Owners, parseCheckpoint, type Store } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { openOwners } from '../process/call-owners.ts'
import { thisMachine } from '../process/machine.ts'
import { openHeads } from './checkpoint-file.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { readStoreSetting } from './store-setting.ts'

/** How to open the store of a home. */
export interface HomeStoreOptions {
  readonly crypto: Crypto
  readonly now?: () => number
  /** `postgres://…`; the home's setting when absent. */
  readonly store?: string
}

/** The store of a home, and the owners of its calls. */
export interface HomeStore {
  readonly store: Store
  readonly owners: Owners
}

/** Opens the store of a home: the SQLite file, or the database that the home is set to. */
export async function openHomeStore(home: Home, { store: given, ...options }: HomeStoreOptions): Promise<HomeStore> {
  const address = addressOf(home, given)
  if (address === null) return { store: await openSqliteStore(home.store, options), owners: openOwners() }
  const { openPostgresStore } = await loadPostgres()
  const store = await openPostgresStore(address, { ...options, knownSize: await longestKept(home) })
  try {
    const machine = thisMachine()
    const lease = await store.lease(machine)
    return { store, owners: openOwners({ machine: machine.id, isAlive: lease.isAlive }) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The package for PostgreSQL. It is loaded only where a home uses it. */
export async function loadPostgres(): Promise<typeof import('@countersign/postgres')> {
  try {
    return await import('@countersign/postgres')
  } catch (error) {
    throw new CountersignError(
      'CS_STORE_OPEN',
      'the store is on PostgreSQL, and `@countersign/postgres` can’t be loaded; run `npm install @countersign/postgres`',
      { cause: error },
    )
  }
}

/** INVARIANT: L3, processes of one home never use different stores: a decision in one would be missing in the other. */
function addressOf(home: Home, given: string | undefined): string | null {
  const set = readStoreSetting(home)
  if (given !== undefined && set !== null && given !== set)
    throw new CountersignError(
      'CS_STORE_OPEN',
      `the home \`${home.dir}\` uses another store; leave out \`store\`, or choose another home`,
    )
  return given ?? set
}

/** The longest journal that this home has signed a checkpoint of. */
async function longestKept(home: Home): Promise<number> {
  const notes = await openHeads(home).kept()
  return notes.reduce((longest, note) => Math.max(longest, parseCheckpoint(note)?.size ?? 0), 0)
}
