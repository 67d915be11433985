import { createJournal, draftEntry, type EntryBody } from '@countersign/core'
import { systemClock } from '@countersign/node'
import type { OpenedJournal } from './open-journal.ts'

/** Records an action of this command, synced and signed before the action happens. */
export async function recordEntry(journal: OpenedJournal, body: EntryBody): Promise<void> {
  const { store, crypto, signer, heads, keys } = journal
  const signing = createJournal({ store, crypto, signer, heads, origin: keys.origin, clock: systemClock })
  const committed = await store.commit({ entries: [draftEntry(body, systemClock.now(), crypto)], durable: true })
  if (committed.kind === 'committed') signing.afterCommit(committed.size)
  await signing.close()
}
