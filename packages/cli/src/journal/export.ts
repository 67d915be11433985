import { once } from 'node:events'
import { resolve } from 'node:path'
import { CountersignError, lastEntryBefore, parseCheckpoint, type Store } from '@countersign/core'
import type { Command } from 'commander'
import { parseSince } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { type Io, say } from '../terminal/io.ts'
import { exportBundle } from './bundle-export.ts'
import { writeNewFile } from './export-file.ts'
import { type OpenedJournal, signHead, withJournal } from './open-journal.ts'

const PAGE = 1000

interface ExportFlags {
  readonly out?: string
  readonly since?: string
  readonly checkpoint?: true
  readonly bundle?: string
  readonly from?: string
  readonly to?: string
}

export function defineExport(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal export --since 7d', 'the last 7 days'],
    ['countersign journal export --out a.jsonl --checkpoint', 'everything, plus a signed checkpoint'],
    [
      'countersign journal export --bundle q1.tar --from 2026-01-01 --to 2026-03-31',
      'for auditors: with tables and proof',
    ],
  ])
  command
    .option('--out <file>', 'write to a new file instead of stdout')
    .option('--since <time>', 'entries since then: 90m, 2h, 7d or 2026-01-31')
    .option('--checkpoint', 'also write a signed checkpoint next to `--out`')
    .option('--bundle <file>', 'write a signed archive that can be verified anywhere: entries, tables, keys, policies')
    .option('--from <time>', 'with `--bundle`: the first entry, as a time or a number')
    .option('--to <time>', 'with `--bundle`: the last entry, as a time, a day (included) or a number')
    .action((flags: ExportFlags) => withJournal(io, (journal) => exportAs(journal, flags, io)))
}

function exportAs(journal: OpenedJournal, flags: ExportFlags, io: Io): Promise<void> {
  const { bundle, from, to, out, since, checkpoint } = flags
  if (bundle === undefined) {
    if (from === undefined && to === undefined) return exportJournal(journal, flags, io)
    throw new CountersignError('CS_USAGE', '`--from` and `--to` need `--bundle <file>`; without it use `--since`')
  }
  if (out !== undefined || since !== undefined || checkpoint !== undefined)
    throw new CountersignError('CS_USAGE', '`--bundle` goes with `--from` and `--to` only')
  return exportBundle(journal, { bundle, ...(from && { from }), ...(to && { to }) }, io)
}

async function exportJournal(journal: OpenedJournal, flags: ExportFlags, io: Io): Promise<void> {
  const { store } = journal
  if (flags.checkpoint === true && flags.out === undefined)
    throw new CountersignError('CS_USAGE', '`--checkpoint` needs `--out <file>`: it is written next to that file')
  const since = flags.since === undefined ? undefined : parseSince(flags.since, Date.now())
  // Sign first, so that the export ends exactly at its checkpoint even if entries are added meanwhile.
  const note = flags.checkpoint === true ? await signHead(journal) : undefined
  const size = note === undefined ? (await store.head()).size : (parseCheckpoint(note)?.size ?? 0)
  const archived = (await store.spans()).at(-1)?.to ?? 0
  const before = since === undefined ? archived : await lastEntryBefore(store, since)
  const pages = pagesOf(store, before + 1, size)
  if (flags.out === undefined) await writeAll(io, pages)
  else await writeNewFile(resolve(io.cwd, flags.out), pages)
  if (note !== undefined && flags.out !== undefined)
    await writeNewFile(resolve(io.cwd, checkpointName(flags.out)), [note])
  if (archived > 0 && before === archived)
    say(io, `entries 1 to ${archived} are archived and not part of this export; see \`${journal.home.archive}\``)
  if (flags.out !== undefined) say(io, `exported entries ${before + 1} to ${size}`)
}

/** The file name of an export's checkpoint; `verify --file` expects it there. */
function checkpointName(out: string): string {
  return `${out.replace(/\.jsonl$/, '')}.checkpoint`
}

/** The lines exactly as they were hashed. */
async function* pagesOf(store: Store, from: number, to: number): AsyncGenerator<string> {
  for (let at = from; at <= to; at += PAGE) {
    const page = await store.entries(at, Math.min(to, at + PAGE - 1))
    yield page.map(({ line }) => `${line}\n`).join('')
  }
}

async function writeAll(io: Io, pages: AsyncIterable<string>): Promise<void> {
  for await (const page of pages) if (!io.stdout.write(page)) await once(io.stdout, 'drain')
}
