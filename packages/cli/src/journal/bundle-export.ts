import { resolve } from 'node:path'
import {
  CountersignError,
  keyFingerprint,
  lastEntryBefore,
  parseCheckpoint,
  parseEntry,
  safeText,
} from '@countersign/core'
import { openApprovers, policyVersion, writeBundleFile } from '@countersign/node'
import { parseSince } from '../arguments/flag-values.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { type JournalLines, openJournalLines } from './journal-lines.ts'
import { type OpenedJournal, signHead } from './open-journal.ts'

/** `journal export --bundle`. */
export interface BundleFlags {
  readonly bundle: string
  readonly from?: string
  readonly to?: string
}

/** Exports a range of the journal with everything that proves it, as one archive. */
export async function exportBundle(journal: OpenedJournal, flags: BundleFlags, io: Io): Promise<void> {
  const { home, store, heads, crypto, signer, keys } = journal
  // Sign first: the bundle proves the journal as it is at this moment.
  const note = await signHead(journal)
  const size = parseCheckpoint(note)?.size ?? 0
  const lines = await openJournalLines(home, store)
  const from = await firstOf(flags.from, journal, lines)
  const through = Math.min(size, await lastOf(flags.to, journal, lines, size))
  if (from > through)
    throw new CountersignError(
      'CS_USAGE',
      `there is no entry in this range; the journal has entries ${lines.first} to ${size}`,
    )
  const path = resolve(io.cwd, flags.bundle)
  const manifest = await writeBundleFile(
    path,
    {
      spans: lines.spans,
      lines: lines.lines,
      gateLists: await journal.gateLists(),
      notes: [...(await store.checkpoints()).map((checkpoint) => checkpoint.note), ...(await heads.kept())],
      approvers: await openApprovers(home).list(),
      policy: async (hash) => policyVersion(home, hash, crypto),
    },
    { from, through, note },
    { crypto, signer, origin: keys.origin },
  )
  const fingerprint = keyFingerprint(signer.publicKey, crypto)
  if (io.json) return printJson(io, { bundle: path, range: manifest.range, head: manifest.head, fingerprint })
  print(io, `exported entries ${from} to ${through} of ${size} to ${safeText(path)}`)
  print(io, `fingerprint of the gate’s key: ${fingerprint}`)
  if (lines.first > 1 && flags.from === undefined)
    say(io, `entries 1 to ${lines.first - 1} are in archives that were deleted; the bundle has their hashes`)
  say(
    io,
    'tell auditors the fingerprint by another way than the bundle: `countersign journal verify --bundle <file> --key <fingerprint>`',
  )
}

async function firstOf(flag: string | undefined, journal: OpenedJournal, lines: JournalLines): Promise<number> {
  if (flag === undefined) return lines.first
  const seq = numberIn(flag)
  if (seq === undefined) return (await lastBefore(parseSince(flag, Date.now()), journal, lines)) + 1
  if (seq >= lines.first) return seq
  throw new CountersignError(
    'CS_USAGE',
    `entries before ${lines.first} are in archives that were deleted; begin with \`--from ${lines.first}\``,
  )
}

async function lastOf(
  flag: string | undefined,
  journal: OpenedJournal,
  lines: JournalLines,
  size: number,
): Promise<number> {
  if (flag === undefined) return size
  return numberIn(flag) ?? lastBefore(endOf(flag), journal, lines)
}

/** An entry number. */
function numberIn(flag: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(flag) ? Number(flag) : undefined
}

/** A day means all of it: `--to 2026-03-31` includes 31 March. */
function endOf(flag: string): number {
  const at = parseSince(flag, Date.now())
  if (!/^\d{4}-\d{2}-\d{2}$/.test(flag)) return at
  const day = new Date(at)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime()
}

/** The last entry written before `at`, also among archived ones. */
async function lastBefore(at: number, { store }: OpenedJournal, lines: JournalLines): Promise<number> {
  const archived = (await store.spans()).at(-1)?.to ?? 0
  const found = await lastEntryBefore(store, at)
  if (found > archived || archived < lines.first) return Math.max(found, lines.first - 1)
  let last = lines.first - 1
  for await (const line of lines.lines(lines.first, archived)) {
    if ((parseEntry(line)?.at ?? at) >= at) break
    last += 1
  }
  return last
}
