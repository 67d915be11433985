import type { DatabaseSync } from 'node:sqlite'
import type { EntryOutline, StoredEntry } from '@countersign/core'
import { count, entryOf } from './row-mapping.ts'

const OF_CALL =
  'FROM entry WHERE seq > coalesce((SELECT openedAfter FROM call WHERE id = ?), 0) AND call = ? ORDER BY seq'

/** Every entry of one call, rising. */
export function allOfCall(db: DatabaseSync, callId: string): readonly StoredEntry[] {
  return db.prepare(`SELECT * ${OF_CALL}`).all(callId, callId).map(entryOf)
}

/** The first and the last of them. Of those between only the numbers are read, never the lines. */
export function outlineOfCall(db: DatabaseSync, callId: string, most: number): EntryOutline {
  const all = db
    .prepare(`SELECT seq ${OF_CALL}`)
    .all(callId, callId)
    .map((row) => count(row, 'seq'))
  const first = Math.min(all.length, Math.ceil(most / 2))
  const last = Math.min(all.length - first, most - first)
  const one = db.prepare('SELECT * FROM entry WHERE seq = ?')
  const seqs = [...all.slice(0, first), ...all.slice(all.length - last)]
  return { entries: seqs.map((seq) => entryOf(one.get(seq) ?? {})), more: all.length - seqs.length }
}
