import { existsSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEntry } from '@countersign/core'
import { linesOf } from './export-file.ts'
import type { OpenedJournal } from './open-journal.ts'
import { recordEntry } from './record-entry.ts'

/**
 * Deletes archives whose last entry is older than `before`, and gives their names. Only what the store holds by its
 * hashes and what has its checkpoint beside it is deleted, and the journal says so first: the proof stays whole.
 */
export async function pruneArchives(journal: OpenedJournal, before: number): Promise<readonly string[]> {
  const { home, store } = journal
  const archived = (await store.spans()).at(-1)?.to ?? 0
  const pruned: string[] = []
  for (const name of existsSync(home.archive) ? (await readdir(home.archive)).sort() : []) {
    const [, from, through] = /^journal-(\d+)-(\d+)\.jsonl$/.exec(name) ?? []
    const path = join(home.archive, name)
    if (from === undefined || Number(through) > archived) continue
    if (!existsSync(path.replace(/\.jsonl$/, '.checkpoint')) || (await newestIn(path)) >= before) continue
    const entry = { kind: 'pruned', call: null, archive: name, from: Number(from), through: Number(through) }
    await recordEntry(journal, entry)
    await unlink(path)
    pruned.push(name)
  }
  return pruned
}

/** When the newest entry of an archive was written; never, for one that cannot be read: it is not deleted. */
async function newestIn(path: string): Promise<number> {
  let newest = Number.NEGATIVE_INFINITY
  for await (const line of linesOf(path)) newest = Math.max(newest, parseEntry(line)?.at ?? Number.POSITIVE_INFINITY)
  return newest
}
