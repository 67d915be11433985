import { CountersignError, createJournal, journalOrigin, type Store, verifyJournal } from '@countersign/core'
import { openPageGate } from '@countersign/page'
import { mountApprovals } from '@countersign/page/dialog'
import '@countersign/react/style.css'
import { openCrypto, openSigner } from '../../../packages/page/src/keys/page-crypto.ts'
import { openStoreDatabase } from '../../../packages/page/src/store/database.ts'
import { openIndexedDbStore } from '../../../packages/page/src/store/indexed-db-store.ts'
import { openSecrets } from '../../../packages/page/src/store/page-secrets.ts'
import { openClock } from '../../../packages/page/src/tabs/page-clock.ts'
import { openNews } from '../../../packages/page/src/tabs/tab-news.ts'

const SEQ = '"seq":999999999999'

/** A change as it arrives from the test: functions cannot cross. */
type SentEntry = { readonly kind: string; readonly callId: string | null; readonly line: string | null }

const stores = new Map<string, Store>()

/** Opens a store by name; `handle` is the name of this connection. */
async function openStore(handle: string, name: string, now: number | null): Promise<void> {
  const database = await openStoreDatabase(name)
  const crypto = openCrypto(await openSecrets(database))
  stores.set(
    handle,
    openIndexedDbStore(database, { crypto, tabs: openNews(name), now: now === null ? Date.now : () => now }),
  )
}

/** Calls a method of a store. */
async function callStore(handle: string, method: keyof Store, args: readonly unknown[]): Promise<unknown> {
  const store = stores.get(handle)
  if (store === undefined) throw new Error(`no store ${handle}`)
  const [first] = args
  const given = method === 'commit' ? [withLines(first as { readonly entries: readonly SentEntry[] })] : args
  try {
    const value: unknown = await (store[method] as (...all: readonly unknown[]) => unknown)(...given)
    return { value }
  } catch (error) {
    return { code: error instanceof CountersignError ? error.code : 'none', message: String(error) }
  }
}

function withLines(change: { readonly entries: readonly SentEntry[] }) {
  const entries = change.entries.map(({ kind, callId, line }) => ({
    kind,
    callId,
    line(seq: number): string {
      if (line === null) throw new Error('no line')
      return line.replace(SEQ, `"seq":${seq}`)
    },
  }))
  return { ...change, entries }
}

/** Signs a checkpoint and verifies the journal of a store. */
async function verifyStore(handle: string, name: string): Promise<string> {
  const store = stores.get(handle)
  if (store === undefined) throw new Error(`no store ${handle}`)
  const secrets = await openSecrets(await openStoreDatabase(name))
  const [crypto, signer] = [openCrypto(secrets), openSigner(secrets)]
  const origin = journalOrigin(signer)
  const heads = { keep: async () => {}, kept: async () => [] }
  await createJournal({ store, crypto, signer, heads, origin, clock: openClock() }).checkpoint()
  return (await verifyJournal(store, { crypto, origin, publicKeys: [signer.publicKey] })).kind
}

/** What the tests use. */
const parts = { openPageGate, mountApprovals, openStore, callStore, verifyStore, openCrypto, openSigner, openClock }

export type PageParts = typeof parts

declare global {
  interface Window {
    readonly parts: PageParts
  }
}

Object.assign(window, { parts })
