import { CountersignError, lastEntryBefore, rotateJournal, type Store, safeText } from '@countersign/core'
import { systemClock } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { openArchive } from './archive-folder.ts'
import { type OpenedJournal, withJournal } from './open-journal.ts'
import { pruneArchives } from './prune-archives.ts'
import { signHead } from './signed-head.ts'

const DAY_MS = 86_400_000

interface RotateFlags {
  readonly keep?: string
  readonly pruneArchivesOlder?: string
}

export function defineRotate(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal rotate --keep 30d', 'archive what is older than 30 days'],
    ['countersign journal rotate --keep 10000', 'leave the newest 10,000 entries'],
  ])
  command
    .option('--keep <how much>', 'leave the newest entries in the store: a number of them, or days such as `30d`')
    .option(
      '--prune-archives-older <days>',
      'then delete archives whose last entry is older; their hashes and checkpoints stay',
    )
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
  for (const name of pruned) print(io, `deleted the archive \`${safeText(name)}\`; its checkpoint stays`)
}

async function lastToArchive(store: Store, keep: string | undefined, now: number): Promise<number> {
  const { size } = await store.head()
  if (keep === undefined) return size
  const [, days] = /^(\d{1,5})d$/.exec(keep) ?? []
  if (days !== undefined) return lastEntryBefore(store, now - Number(days) * DAY_MS)
  if (/^\d{1,12}$/.test(keep)) return size - Number(keep)
  throw new CountersignError(
    'CS_USAGE',
    `\`--keep\` takes a number of entries or days such as 30d, not \`${safeText(keep)}\``,
  )
}
