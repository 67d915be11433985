import { type JournalVerdict, verifyJournal } from '@countersign/core'
import { type Home, openCrypto, openGateKey, openHeads, openSqliteStore } from '@countersign/node'

/** Verifies the journal of a home whose gate is closed, against the head that closing it signed. */
export async function verifyHome(home: Home): Promise<JournalVerdict> {
  const crypto = openCrypto(home)
  const store = await openSqliteStore(home.store, { crypto })
  try {
    return await verifyJournal(store, {
      crypto,
      kept: await openHeads(home).kept(),
      publicKeys: [openGateKey(home).publicKey],
    })
  } finally {
    await store.close()
  }
}
