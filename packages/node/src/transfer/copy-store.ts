import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CopiedTables,
  type CopyStep,
  CountersignError,
  type Crypto,
  copyTables,
  draftEntry,
  type EntryBody,
  type GateList,
  type LockedStore,
  parseEntry,
  safeText,
} from '@countersign/core'
import type { Home } from '../home/home.ts'
import { openGateKey } from '../keys/home-keys.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { thisMachine } from '../process/machine.ts'
import { openHeads } from '../store/checkpoint-file.ts'
import { loadPostgres, openHomeStore } from '../store/home-store.ts'
import { readStoreSetting } from '../store/store-setting.ts'
import { lockSqliteStore } from './locked-sqlite.ts'

/** Where a store is copied to: `sqlite` is the file of the home. */
export type StorePlace = 'sqlite' | `postgres${string}`

/** How to copy the store of a home. */
export interface CopyStoreOptions {
  /** Who copies it, for the journal. */
  readonly by: string
  /** Called as rows of a table are copied; `entries` is the size of the journal. */
  onRows?(table: string, rows: number, entries: number): void
  passed?(step: CopyStep): Promise<void>
}

/** What was copied, from where to where. */
export interface CopiedStore extends CopiedTables {
  readonly from: string
  readonly to: string
}

/**
 * Copies the store of a home with everything in it into an empty one, and verifies the copy. From then on no process uses
 * the former store; the home uses the new one after `useCopiedStore`. It may be run again after any failure.
 */
export async function copyStore(home: Home, to: StorePlace, options: CopyStoreOptions): Promise<CopiedStore> {
  const from = readStoreSetting(home) ?? 'sqlite'
  if (from === to) throw refusal('this home keeps its store there already')
  const crypto = openCrypto(home)
  const shown = await checkPlace(home, to)
  await announce(home, from, shown, options.by)
  const source = await lockStore(home, from)
  try {
    const target = await lockStore(home, to)
    try {
      const lists = await source.gateLists()
      const { listedKeys } = await import('../sharing/stored-lists.ts')
      const { list, keys } = listedKeys(lists, openGateKey(home), crypto)
      if (to === 'sqlite' && list !== undefined) refuseOthers(home, list)
      const kept = await openHeads(home).kept()
      const { onRows, passed } = options
      const done = await copyTables(source, target, {
        crypto,
        kept,
        ...keys,
        ...(onRows === undefined ? {} : { onRows }),
        ...(passed === undefined ? {} : { passed }),
      }).catch((error: unknown) => undo(home, from, source, error))
      await target.release()
      if (to !== 'sqlite') await share(home, to, crypto)
      return { ...done, from: source.shown, to: target.shown }
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

/** Opens a store of a home for this process alone. */
async function lockStore(home: Home, place: string): Promise<LockedStore> {
  if (place === 'sqlite') return lockSqliteStore(home)
  return (await loadPostgres()).lockPostgresStore(place)
}

/** Checks the address before anything is written, and returns it without its password. */
async function checkPlace(home: Home, to: string): Promise<string> {
  if (to === 'sqlite') return home.store
  const { checkSchema, parseStoreAddress, readSchema } = await loadPostgres()
  const parsed = parseStoreAddress(to)
  if ((await readSchema(parsed)).kind === 'missing')
    throw new CountersignError(
      'CS_STORE_OPEN',
      `there are no tables at \`${parsed.shown}\` yet; run \`countersign store migrate\` with its address`,
    )
  await checkSchema(parsed, 'any state')
  return parsed.shown
}

/** Writes to the journal where it goes. A store that was marked by an earlier copy has this entry already. */
async function announce(home: Home, from: string, to: string, by: string): Promise<void> {
  const before = await lockStore(home, from)
  try {
    if (before.state === 'moved') return await refuseElsewhere(before, to)
  } finally {
    await before.release()
  }
  const crypto = openCrypto(home)
  const { store, owners } = await openHomeStore(home, { crypto })
  try {
    const started = await store.calls({ state: 'started', unsealed: true })
    const running = started.filter(({ owner }) => owners.isAlive(owner))
    if (running.length > 0)
      throw refusal(
        `${running.length === 1 ? 'a call is' : `${running.length} calls are`} still running, and the outcome would be lost; wait until it ends, then copy`,
      )
    const body: EntryBody = { kind: 'store-copied', call: null, to, by }
    await store.commit({ entries: [draftEntry(body, Date.now(), crypto)], durable: true })
  } finally {
    await store.close()
  }
}

/** Other gates may have written entries after the one that names the new store. */
const LOOK_BACK = 1000

/** INVARIANT: a journal goes on in one place: a copy that was begun is finished, and no second one is made. */
async function refuseElsewhere({ journal, shown }: LockedStore, to: string): Promise<void> {
  const { size } = await journal.head()
  const last = (await journal.entries(Math.max(1, size - LOOK_BACK), size))
    .map(({ line }) => parseEntry(line))
    .findLast((entry) => entry?.kind === 'store-copied')
  const place = typeof last?.['to'] === 'string' ? last['to'] : 'another store'
  if (place !== to)
    throw refusal(
      `the journal of \`${shown}\` goes on in \`${safeText(place)}\`; run \`countersign store use\` with that address, or copy there again if that was interrupted`,
    )
}

/** Back in a file, a journal has one gate. */
function refuseOthers(home: Home, list: GateList): void {
  const { keyId } = openGateKey(home)
  const others = list.gates.filter(({ id, removedAfter }) => removedAfter === null && id !== keyId)
  if (others.length > 0)
    throw refusal(
      `${others.length === 1 ? 'another machine shares' : `${others.length} other machines share`} this store; a file is for one machine: run \`countersign gates remove\` for the others first`,
    )
}

/** A copy that certainly did not happen leaves the former store in use. */
async function undo(home: Home, from: string, source: LockedStore, error: unknown): Promise<never> {
  await source.release()
  if (error instanceof CountersignError && error.code === 'CS_STORE_UNSURE') throw error
  const again = await lockStore(home, from)
  try {
    if (source.state === 'in use' && again.state === 'moved') await again.commit('in use')
  } finally {
    await again.release()
  }
  throw error
}

/** Makes the first list of gates of a copied journal, with this home on it. */
async function share(home: Home, address: string, crypto: Crypto): Promise<void> {
  const { openPostgresStore } = await loadPostgres()
  const { beginSharing } = await import('../sharing/followed-gates.ts')
  const own = join(home.heads, 'checkpoints.jsonl')
  const shared = join(home.heads, 'shared.jsonl')
  const store = await openPostgresStore(address, { crypto })
  try {
    const board = store.gates
    if ((await board.listsAfter(0)).length > 0) return
    // INVARIANT: the journal goes on, so what this home knows of it still counts.
    if (existsSync(own) && !existsSync(home.gates)) copyFileSync(own, shared)
    const journalSize = async () => (await store.head()).size
    const parts = { home, board, crypto, signer: openGateKey(home), now: Date.now, journalSize }
    if (!(await beginSharing(parts, thisMachine().name)))
      throw new CountersignError(
        'CS_GATES',
        'another gate began to use this store; compare with `countersign gates list`',
      )
  } finally {
    await store.close()
  }
}

function refusal(message: string): CountersignError {
  return new CountersignError('CS_STORE_OPEN', message)
}
