import {
  type CallQuery,
  type Change,
  type Committed,
  CountersignError,
  type Crypto,
  type Store,
  type StoredEntry,
  type StoredGrant,
  type WorkspaceChanges,
} from '@countersign/core'
import { entriesOfCall, findCalls, findRow, outlineOfCall, withSealed } from './call-query.ts'
import { applyChange, readHead, readSpans, sumCounter } from './change-writer.ts'
import { answerOf, completionOf, storeError, TABLES } from './database.ts'
import { entryOf } from './rows.ts'

/** The other tabs of a store. */
export interface OtherTabs {
  /** Rises when another tab wrote to the store. */
  version(): number
  /** Tells the other tabs that this one wrote. */
  tell(): void
}

export interface StoreOptions {
  readonly crypto: Crypto
  readonly tabs: OtherTabs
  /** Wall-clock milliseconds. */
  readonly now: () => number
}

/** Grants that ended are still listed for a day. */
const LISTED_AFTER_END_MS = 86_400_000
const MOST_GRANTS = 10_000

/** The store on IndexedDB. Several tabs may have it open at once: the browser runs their transactions one after another. */
export function openIndexedDbStore(database: IDBDatabase, { crypto, tabs, now }: StoreOptions): Store {
  let closed: string | null = null
  const shut = (why: string): void => {
    closed ??= why
    database.close()
  }
  // INVARIANT: L3, a page that a newer version overtook stops instead of writing what that version misreads.
  database.onversionchange = () => shut('another tab opened a newer version of this page; reload this page')
  database.onclose = () => shut('the browser closed the store of this page; reload the page')

  function begin(mode: 'readonly' | 'readwrite', durability: 'strict' | 'relaxed' = 'relaxed'): IDBTransaction {
    if (closed !== null) throw new CountersignError(mode === 'readonly' ? 'CS_STORE_READ' : 'CS_STORE_WRITE', closed)
    return database.transaction(TABLES, mode, { durability })
  }

  async function read<T>(work: (tx: IDBTransaction) => Promise<T>): Promise<T> {
    try {
      return await work(begin('readonly'))
    } catch (error) {
      throw storeError(error, 'CS_STORE_READ')
    }
  }

  /** All of it happens, or nothing: 'undo' and an exception leave nothing behind. */
  async function write(
    durability: 'strict' | 'relaxed',
    work: (tx: IDBTransaction) => Promise<'keep' | 'undo'>,
  ): Promise<void> {
    try {
      const tx = begin('readwrite', durability)
      const completion = completionOf(tx)
      completion.catch(() => {}) // it is waited for below
      try {
        if ((await work(tx)) === 'undo') return await abort(tx, completion)
      } catch (error) {
        await abort(tx, completion)
        throw error
      }
      await completion
      tabs.tell()
    } catch (error) {
      throw storeError(error, 'CS_STORE_WRITE')
    }
  }

  return {
    async commit(change: Change) {
      let committed: Committed = { kind: 'conflict', what: 'call-moved' }
      await write(change.durable ? 'strict' : 'relaxed', async (tx) => {
        committed = await applyChange(tx, change, crypto)
        return committed.kind === 'committed' ? 'keep' : 'undo'
      })
      return committed
    },
    call: (id: string) =>
      read(async (tx) => {
        const row = await findRow(tx, id)
        return row === undefined ? undefined : withSealed(tx, row, false)
      }),
    calls: (query: CallQuery) => read((tx) => findCalls(tx, query)),
    grants: () =>
      read(async (tx) => {
        const ended = now() - LISTED_AFTER_END_MS
        const rows: readonly (StoredGrant & { readonly n: number })[] = await answerOf(tx.objectStore('grant').getAll())
        return rows
          .filter(({ revokedAt, expiresAt }) => (revokedAt ?? ended) >= ended && (expiresAt ?? ended) >= ended)
          .slice(-MOST_GRANTS)
          .map(({ n: _, ...grant }) => grant)
      }),
    counted: (session: string, name: string, from: number) => read((tx) => sumCounter(tx, session, name, from)),
    changes: (workspace: string) =>
      read(async (tx) => {
        const range = IDBKeyRange.bound([workspace], [workspace, []])
        const unrecorded: WorkspaceChanges['unrecorded'] = await answerOf(tx.objectStore('unrecorded').getAll(range))
        return { files: [], unrecorded, everything: null, installedSince: null }
      }),
    changedWorkspaces: () => Promise.resolve([]),
    version: () => tabs.version(),
    head: () => read(readHead),
    entries: (from: number, to: number) =>
      read(async (tx) => {
        if (from > to) return []
        const rows: readonly StoredEntry[] = await answerOf(tx.objectStore('entry').getAll(IDBKeyRange.bound(from, to)))
        return rows.map(entryOf)
      }),
    entriesOf: (callId: string) => read(async (tx) => (await entriesOfCall(tx, callId)).map(entryOf)),
    outlineOf: (callId: string, most: number) => read((tx) => outlineOfCall(tx, callId, most)),
    spans: () => read(readSpans),
    checkpoints: () => read((tx) => answerOf(tx.objectStore('checkpoint').getAll())),
    saveCheckpoint: (size: number, note: string) =>
      write('relaxed', async (tx) => {
        const known = await answerOf(tx.objectStore('checkpoint').count(size))
        if (known === 0) await answerOf(tx.objectStore('checkpoint').add({ size, note }))
        return 'keep'
      }),
    async close() {
      shut('the store of this page was closed; open it again')
    },
  }
}

/** Ends a transaction that may have ended already. */
async function abort(tx: IDBTransaction, completion: Promise<void>): Promise<void> {
  try {
    tx.abort()
  } catch {
    // It was over.
  }
  await completion.catch(() => {})
}
