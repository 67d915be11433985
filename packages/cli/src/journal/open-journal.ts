import { type Crypto, type Heads, journalOrigin, type Signer, type Store } from '@countersign/core'
import { type Home, openCrypto, openGateKey, openHeads, openSqliteStore } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import type { Io } from '../terminal/io.ts'

/** The journal of a home with what it takes to check and sign it. Nothing is judged, so no policy is read. */
export interface OpenedJournal {
  readonly home: Home
  readonly store: Store
  readonly crypto: Crypto
  readonly signer: Signer
  readonly heads: Heads
  readonly origin: string
}

/** Opens the journal for one piece of work and lets go of the store after it, whatever happens. */
export async function withJournal<T>(io: Io, work: (journal: OpenedJournal) => Promise<T>): Promise<T> {
  const home = existingHome(io)
  const crypto = openCrypto(home)
  const signer = openGateKey(home)
  const heads = openHeads(home)
  const store = await openSqliteStore(home.store, { crypto })
  try {
    return await work({ home, store, crypto, signer, heads, origin: journalOrigin(signer) })
  } finally {
    await store.close()
  }
}
