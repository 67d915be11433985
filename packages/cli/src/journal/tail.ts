import { setTimeout as pause } from 'node:timers/promises'
import {
  CALL_STATES,
  type JournalEntry,
  parseEntry,
  type SafeText,
  type Store,
  type StoredEntry,
  safeText,
} from '@countersign/core'
import type { Command } from 'commander'
import { wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { callName, findCall } from '../arguments/ids.ts'
import { type Io, print } from '../terminal/io.ts'
import { dataColumns } from '../terminal/layout.ts'
import { type CallFacts, entryLine, factsOf } from './entry-line.ts'
import { withJournal } from './open-journal.ts'

const POLL_MS = 200
const PAGE = 1000

interface TailFlags {
  readonly n: string
  readonly follow?: true
  readonly call?: string
}

export function defineTail(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal tail -n 50', 'the last 50 entries'],
    ['countersign journal tail --follow', 'follow new entries'],
    ['countersign journal tail --call 3f2a91c0', 'all entries of one call'],
  ])
  command
    .option('-n <entries>', 'number of entries', '20')
    .option('-f, --follow', 'keep running and print new entries')
    .option('--call <id>', 'only entries of this call (short id, id or start of it)')
    .action((flags: TailFlags) => withJournal(io, ({ store }) => tail(store, flags, io)))
}

async function tail(store: Store, flags: TailFlags, io: Io): Promise<void> {
  const show = createPrinter(store, io)
  let seen = (await store.head()).size
  const call = flags.call === undefined ? undefined : await callId(store, flags.call)
  for (const entry of await lastEntries(store, seen, wholeNumber('-n', flags.n), call)) await show(entry)
  if (flags.follow !== true) return
  for (let version = Number.NaN; ; await pause(POLL_MS)) {
    if (store.version() === version) continue
    version = store.version()
    const { size } = await store.head()
    for (; seen < size; seen = Math.min(size, seen + PAGE))
      for (const entry of await store.entries(seen + 1, Math.min(size, seen + PAGE)))
        if (call === undefined || parseEntry(entry.line)?.call === call) await show(entry)
  }
}

async function lastEntries(
  store: Store,
  size: number,
  count: number,
  call: string | undefined,
): Promise<readonly StoredEntry[]> {
  if (call !== undefined) return (await store.entriesOf(call)).filter(({ seq }) => seq <= size).slice(-count)
  return store.entries(Math.max(1, size - count + 1), size)
}

/** Finds a past call by short id or the start of its id. */
async function callId(store: Store, typed: string): Promise<string> {
  const calls = await store.calls({ state: CALL_STATES, limit: 10_000, unsealed: true })
  const words = { what: 'call', list: 'countersign history', code: 'CS_DECISION_UNKNOWN' } as const
  // A call that was refused before it was judged has entries but no row.
  if (calls.every(({ id }) => !id.startsWith(typed)) && (await store.entriesOf(typed)).length > 0) return typed
  return findCall(typed, calls, words)
}

/** Prints entries one by one; facts from a call's first entry are kept for its later ones. */
function createPrinter(store: Store, io: Io): (entry: StoredEntry) => Promise<void> {
  const known = new Map<string, CallFacts | undefined>()
  const names = new Map<string, SafeText>()
  return async ({ line, seq }) => {
    if (io.json) return print(io, line)
    const entry = parseEntry(line)
    if (entry === undefined) return print(io, `can’t read entry ${seq}: ${safeText(line.slice(0, 60))}`)
    const name = entry.call === null ? safeText('-') : await nameOf(entry.call, names, store)
    print(io, entryLine(entry, await factsFor(entry, known, store), { name, columns: dataColumns(io) }))
  }
}

/** The name of a call, cached once it has been held. */
async function nameOf(id: string, names: Map<string, SafeText>, store: Store): Promise<SafeText> {
  const found = names.get(id)
  if (found !== undefined) return found
  const requestDigest = (await store.call(id))?.requestDigest ?? null
  const name = callName({ id, requestDigest })
  if (requestDigest !== null) names.set(id, name)
  return name
}

/** From the entry that judged the call, or its row if that is archived. */
async function firstFacts(call: string, store: Store): Promise<CallFacts | undefined> {
  const { entries } = await store.outlineOf(call, 2)
  const judged = entries.flatMap(({ line }) => parseEntry(line) ?? []).find(({ kind }) => kind === 'judged')
  return judged === undefined ? store.call(call) : factsOf(judged)
}

async function factsFor(
  entry: JournalEntry,
  known: Map<string, CallFacts | undefined>,
  store: Store,
): Promise<CallFacts | undefined> {
  if (entry.call === null) return undefined
  const told = factsOf(entry)
  if (told !== undefined || !known.has(entry.call)) known.set(entry.call, told ?? (await firstFacts(entry.call, store)))
  return known.get(entry.call)
}
