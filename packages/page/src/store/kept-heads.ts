import type { Heads } from '@countersign/core'
import { answerOf, completionOf, openDatabase } from './database.ts'

/** INVARIANT: L10, checkpoints that are kept; beyond it every other one of the older half is dropped. */
const MOST_KEPT = 1_000

/** Heads kept in a database of their own, so that truncating or replacing the store shows. */
export interface PageHeads extends Heads {
  close(): void
}

export async function openHeads(store: string): Promise<PageHeads> {
  const database = await openDatabase(`${store} heads`, 1, (made) =>
    made.createObjectStore('note', { autoIncrement: true }),
  )
  return {
    async keep(note) {
      const tx = database.transaction('note', 'readwrite', { durability: 'strict' })
      const completion = completionOf(tx)
      const notes = tx.objectStore('note')
      const keys = await answerOf(notes.getAllKeys())
      if (keys.length >= MOST_KEPT)
        for (const [at, key] of keys.entries()) if (at < keys.length / 2 && at % 2 === 1) notes.delete(key)
      notes.add(note)
      await completion
    },
    kept: () => answerOf(database.transaction('note').objectStore('note').getAll()),
    close: () => database.close(),
  }
}
