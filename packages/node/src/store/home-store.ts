import { existsSync } from 'node:fs'
import {
  type Clock,
  CountersignError,
  type Crypto,
  type GateKeys,
  type Owners,
  parseCheckpoint,
  type SharedRows,
  type Store,
  type StoreClock,
} from '@countersign/core'
import { readGateLists } from '../home/gate-lists-file.ts'
import type { Home } from '../home/home.ts'
import { openGateKey } from '../keys/home-keys.ts'
import { openOwners } from '../process/call-owners.ts'
import { thisMachine } from '../process/machine.ts'
import type { FollowedGates, FollowParts } from '../sharing/followed-gates.ts'
import { openHeads } from './checkpoint-file.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { readStoreSetting, watchStoreSetting, writeStoreSetting } from './store-setting.ts'

/** How to open the store of a home. */
export interface HomeStoreOptions {
  readonly crypto: Crypto
  readonly now?: () => number
  /** The machine's clocks; the system's when absent. */
  readonly clock?: Pick<Clock, 'now' | 'monotonic' | 'isSimulated'>
  /** `postgres://…`; the home's setting when absent. */
  readonly store?: string
}

/** The store of a home, and the owners of its calls. */
export interface HomeStore {
  readonly store: Store
  readonly owners: Owners
  /** The gates that share the store; absent while this home has it alone. */
  readonly gates?: FollowedGates
  /** The keys of those gates, also once the journal is back in a file; absent if it has always been this home's own. */
  readonly keys?: GateKeys
  /** What services on the store keep there together. */
  readonly shared?: SharedRows
  /** The clock that all machines on the store go by. */
  readonly storeClock?: StoreClock
  /** Every version of their list. */
  readonly lists?: () => Promise<readonly string[]>
}

/** Opens the store of a home: the SQLite file, or the database that the home is set to. */
export async function openHomeStore(home: Home, { store: given, ...options }: HomeStoreOptions): Promise<HomeStore> {
  const address = addressOf(home, given)
  if (address === null) {
    const keys = existsSync(home.gates)
      ? (await import('../sharing/stored-lists.ts')).keptKeys(home, options.crypto)
      : undefined
    const store = await openSqliteStore(home.store, options)
    return {
      store,
      owners: openOwners(),
      ...(keys === undefined ? {} : { keys, lists: async () => readGateLists(home) }),
    }
  }
  const { openPostgresStore } = await loadPostgres()
  const sharing = await import('../sharing/followed-gates.ts')
  const { sealRows } = await import('../sharing/sealed-rows.ts')
  const isMember = existsSync(home.gates)
  let gates: FollowedGates | undefined
  const refuseMoved = watchStoreSetting(home)
  const store = await openPostgresStore(address, {
    ...options,
    known: await knownJournal(home),
    // INVARIANT: L3, a gate that was removed from the list runs nothing any more, nor does a home that was moved away.
    mayWrite: async () => {
      refuseMoved()
      await gates?.sync()
    },
  })
  try {
    const parts = {
      home,
      board: store.gates,
      crypto: options.crypto,
      signer: openGateKey(home),
      now: () => store.clock.now(),
      journalSize: async () => (await store.head()).size,
    }
    const machine = thisMachine()
    if (!isMember && !(await begin(sharing, parts, machine.name)))
      throw new CountersignError(
        'CS_GATES',
        'other gates use this store and don’t know this one; run `countersign gates join` with its address',
      )
    if (!isMember) writeStoreSetting(home, address)
    gates = await sharing.followGates(parts)
    const lease = await store.lease(machine)
    const shared = sealRows(store.shared, options.crypto)
    return {
      store,
      owners: openOwners({ machine: machine.id, isAlive: lease.isAlive }),
      gates: forgettingRemoved(gates, shared),
      keys: gates.keys,
      shared,
      storeClock: store.clock,
      lists: () => store.gates.listsAfter(0),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** SECURITY: what a machine knew of the services' secret, or signed in with, ends with its removal. */
function forgettingRemoved(gates: FollowedGates, shared: SharedRows): FollowedGates {
  return {
    ...gates,
    async remove(id) {
      const isRemoved = await gates.remove(id)
      if (isRemoved) await shared.clear()
      return isRemoved
    },
  }
}

/** The first gate on an empty store needs nobody's leave; every other one joins. */
async function begin(
  { beginSharing }: typeof import('../sharing/followed-gates.ts'),
  parts: FollowParts,
  name: string,
): Promise<boolean> {
  const { home, board, crypto } = parts
  // INVARIANT: one key never signs two journals: their checkpoints would contradict each other.
  if (existsSync(home.store) && (await sizeOf(home, crypto)) > 0)
    throw new CountersignError(
      'CS_STORE_OPEN',
      `the home \`${home.dir}\` has a journal already; to take it along, run \`countersign store copy\` with the address of the new store`,
    )
  const isNew = (await board.listsAfter(0)).length > 0 || (await parts.journalSize()) === 0
  return isNew && beginSharing(parts, name)
}

async function sizeOf(home: Home, crypto: Crypto): Promise<number> {
  const store = await openSqliteStore(home.store, { crypto })
  try {
    return (await store.head()).size
  } finally {
    await store.close()
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

/** The longest journal on a shared store that this home has signed a checkpoint of: the store must continue it. */
export async function knownJournal(home: Home): Promise<{ readonly size: number; readonly root: string }> {
  const notes = existsSync(home.gates) ? await openHeads(home).kept() : []
  return notes.reduce(
    (longest, note) => {
      const { size = 0, root = '' } = parseCheckpoint(note) ?? {}
      return size > longest.size ? { size, root } : longest
    },
    { size: 0, root: '' },
  )
}
