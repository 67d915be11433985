import { existsSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { CountersignError, lastEntryBefore, parseEntry, rotateJournal, type Store, safeText } from '@countersign/core'
import { openArchive, systemClock } from '@countersign/node'
import type { Command } from 'commander'
import { wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { linesOf } from './export-file.ts'
import { type OpenedJournal, signHead, withJournal } from './open-journal.ts'
import { recordEntry } from './record-entry.ts'

const DAY_MS = 86_400_000

interface RotateFlags {
  readonly keep?: string
  readonly pruneArchivesOlder?: string
}

export function defineRotate(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal rotate --keep 30d', 'archive entries older than 30 days'],
    ['countersign journal rotate --keep 10000', 'keep the newest 10,000 entries'],
  ])
  command
    .option('--keep <amount>', 'entries to keep in the store: a number, or days such as `30d`')
    .option('--prune-archives-older <days>', 'also delete older archives; their hashes and checkpoints stay')
    .action((flags: RotateFlags) => withJournal(io, (journal) => rotate(journal, flags, io)))
}

async function rotate(journal: OpenedJournal, flags: RotateFlags, io: Io): Promise<void> {
  const now = systemClock.now()
  const older = flags.pruneArchivesOlder
  const days = older === undefined ? undefined : wholeNumber('--prune-archives-older', older.replace(/d$/, ''), 36_500)
  const through = await lastToArchive(journal.store, flags.keep, now)
  const archived = (await journal.store.spans()).at(-1)?.to ?? 0
  const archive = openArchive(journal.home.archive)
  const rotation =
    through > archived ? await rotateJournal({ ...journal, archive, clock: systemClock }, through) : undefined
  if (rotation !== undefined) await signHead(journal)
  const pruned = days === undefined ? [] : await pruneArchives(journal, now - days * DAY_MS)
  if (io.json) return printJson(io, { rotation: rotation ?? null, pruned })
  print(
    io,
    rotation === undefined
      ? 'nothing to archive'
      : `archived entries ${rotation.from} to ${rotation.through} as \`${rotation.name}.jsonl\` in \`${safeText(journal.home.archive)}\``,
  )
  for (const name of pruned) print(io, `deleted archive \`${safeText(name)}\`; its checkpoint stays`)
}

async function lastToArchive(store: Store, keep: string | undefined, now: number): Promise<number> {
  const { size } = await store.head()
  if (keep === undefined) return size
  const [, days] = /^(\d{1,5})d$/.exec(keep) ?? []
  if (days !== undefined) return lastEntryBefore(store, now - Number(days) * DAY_MS)
  if (/^\d{1,12}$/.test(keep)) return size - Number(keep)
  throw new CountersignError(
    'CS_USAGE',
    `\`--keep\` must be a number of entries, or days such as 30d, not \`${safeText(keep)}\``,
  )
}

/**
 * Deletes archives whose last entry is older than `before`, and returns their names. An archive is deleted only if the
 * store has its hashes and its checkpoint exists, and after the deletion was recorded: the journal still verifies.
 */
async function pruneArchives(journal: OpenedJournal, before: number): Promise<readonly string[]> {
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

/** Time of the newest entry in an archive; infinite if a line is unreadable, so that the archive is kept. */
async function newestIn(path: string): Promise<number> {
  let newest = Number.NEGATIVE_INFINITY
  for await (const line of linesOf(path)) newest = Math.max(newest, parseEntry(line)?.at ?? Number.POSITIVE_INFINITY)
  return newest
}
