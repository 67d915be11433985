import {
  CountersignError,
  type Crypto,
  createJournal,
  type Heads,
  type JournalKeys,
  journalKeys,
  type Signer,
  type Store,
  verifyJournal,
} from '@countersign/core'
import { type Home, openCrypto, openGateKey, openHeads, openHomeStore, systemClock } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import type { Io } from '../terminal/io.ts'

/** The journal of a home, with everything needed to verify and sign it. No policy is read. */
export interface OpenedJournal {
  readonly home: Home
  readonly store: Store
  readonly crypto: Crypto
  readonly signer: Signer
  readonly heads: Heads
  /** Its name in checkpoints, and the keys that may sign them. */
  readonly keys: JournalKeys
  /** Every version of the list of gates; none where the home has the journal alone. */
  gateLists(): Promise<readonly string[]>
}

/** Opens the journal, runs `work`, and always closes the store. */
export function withJournal<T>(io: Io, work: (journal: OpenedJournal) => Promise<T>): Promise<T> {
  return withJournalOf(existingHome(io), work)
}

/** The same for a home that is open. */
export async function withJournalOf<T>(home: Home, work: (journal: OpenedJournal) => Promise<T>): Promise<T> {
  const crypto = openCrypto(home)
  const signer = openGateKey(home)
  const { store, keys: gates, lists } = await openHomeStore(home, { crypto })
  // Opened after the store: a home that shares one keeps other checkpoints.
  const heads = openHeads(home)
  try {
    return await work({
      home,
      store,
      crypto,
      signer,
      heads,
      gateLists: async () => (await lists?.()) ?? [],
      keys: journalKeys({ signer, gates }),
    })
  } finally {
    await store.close()
  }
}

/** Signs a checkpoint of the journal. SECURITY: A29 a damaged journal is not signed. */
export async function signHead(journal: OpenedJournal): Promise<string> {
  const { store, crypto, signer, heads, keys } = journal
  const verdict = await verifyJournal(store, { crypto, kept: await heads.kept(), ...keys })
  if (verdict.kind === 'damaged')
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      `${verdict.damage.message}; nothing was signed; run \`countersign journal verify\``,
    )
  const parts = { store, crypto, signer, heads, origin: keys.origin, clock: systemClock }
  const note = await createJournal(parts).checkpoint()
  if (note === undefined) throw new CountersignError('CS_USAGE', 'the journal is empty; nothing to sign')
  return note
}
