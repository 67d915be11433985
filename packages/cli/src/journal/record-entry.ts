import { createJournal, draftEntry, type EntryBody, type Json, redactJson } from '@countersign/core'
import { systemClock } from '@countersign/node'
import type { OpenedJournal } from './open-journal.ts'

/**
 * Records an action of this command, synced and signed before the action happens. Everything is redacted but `open`, such as
 * public keys, which look like secrets.
 */
export async function recordEntry(
  journal: OpenedJournal,
  body: EntryBody,
  open: { readonly [field: string]: Json } = {},
): Promise<void> {
  const { store, crypto, signer, heads, keys } = journal
  const signing = createJournal({ store, crypto, signer, heads, origin: keys.origin, clock: systemClock })
  const committed = await store.commit({
    entries: [draftEntry({ ...(redactJson(body, crypto) as EntryBody), ...open }, systemClock.now())],
    durable: true,
  })
  if (committed.kind === 'committed') signing.afterCommit(committed.size)
  await signing.close()
}
