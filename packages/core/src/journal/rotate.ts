import { CountersignError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Crypto, Signer } from '../ports/crypto.ts'
import type { Heads } from '../ports/ports.ts'
import { OPEN_STATES, type Store } from '../ports/store.ts'
import { parseCheckpoint, signCheckpoint } from './checkpoint.ts'
import { draftEntry, parseEntry } from './entry.ts'
import { appendLeaf, appendSpan, leafHash, rootOf, SpanBuilder } from './merkle.ts'
import type { JournalKeys } from './signed-heads.ts'
import { type JournalSource, verifyJournal } from './verify.ts'

/** Where archived entries go. */
export interface Archive {
  /** Writes a whole file durably, or throws. Repeating a write is fine; other content under an existing name throws. */
  write(name: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<void>
}

/** What a rotation needs. */
export interface RotateParts {
  readonly store: Store
  readonly crypto: Crypto
  readonly signer: Signer
  readonly clock: Clock
  readonly heads: Heads
  readonly archive: Archive
  readonly keys: JournalKeys
}

/** The archived entries from..through, in `<name>.jsonl` with `<name>.checkpoint` beside it. */
export interface Rotation {
  readonly name: string
  readonly from: number
  readonly through: number
  /** Hex root over entries 1..through. */
  readonly root: string
  readonly note: string
}

const PAGE = 1000

/**
 * Moves the entries up to `wanted` into an archive. Their hashes stay, cut at every known checkpoint, so that every kept
 * head still verifies without the archive. A damaged journal is not rotated, nothing is dropped before the archive is
 * durable, and entries of open calls stay: they prove that the call has not started.
 */
export async function rotateJournal(parts: RotateParts, wanted: number): Promise<Rotation> {
  const { store, crypto, signer, clock, heads, keys } = parts
  const kept = await heads.kept()
  const verdict = await verifyJournal(store, { crypto, kept, ...keys })
  if (verdict.kind === 'damaged') {
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      `${verdict.damage.message}; nothing was archived, keep a copy of the store`,
    )
  }
  const through = Math.min(wanted, await lastBeforeOpenCalls(store))
  if (!Number.isSafeInteger(through) || through <= verdict.archived || through > verdict.size) {
    throw new CountersignError(
      'CS_USAGE',
      through < wanted && through <= verdict.archived
        ? 'a call is still open since the oldest entry; decide it or let it expire, then rotate'
        : `entries ${verdict.archived + 1} to ${verdict.size} can be archived; \`${through}\` is not among them`,
    )
  }
  const notes = [...kept, ...(await store.checkpoints()).map((checkpoint) => checkpoint.note)]
  const sizes = notes.map((note) => parseCheckpoint(note)?.size ?? 0)
  const spans = new SpanBuilder(verdict.archived, [...sizes, through], crypto)
  const before = (await store.spans()).reduce((frontier, span) => appendSpan(frontier, span, crypto), '')
  const head = { size: verdict.archived, frontier: before }
  const name = `journal-${verdict.archived + 1}-${through}`
  await parts.archive.write(
    `${name}.jsonl`,
    linesTo(store, verdict.archived, through, (line) => {
      const leaf = leafHash(line, crypto)
      spans.add(leaf)
      head.frontier = appendLeaf(head.frontier, head.size++, leaf, crypto)
    }),
  )
  if (head.size !== through)
    throw new CountersignError('CS_STORE_READ', 'the journal changed while it was archived; run the rotation again')
  const note = signCheckpoint(head, signer, crypto, keys.origin)
  await parts.archive.write(`${name}.checkpoint`, [note])
  await store.saveCheckpoint(through, note)
  await heads.keep(note)
  const root = rootOf(head.frontier, through, crypto)
  const from = verdict.archived + 1
  const entry = draftEntry({ kind: 'rotated', call: null, archive: name, from, through, root }, clock.now())
  await store.commit({ entries: [entry], archive: spans.spans(), durable: true })
  return { name, from, through, root, note }
}

/** The last entry before the oldest open call; infinity when no call is open. */
async function lastBeforeOpenCalls(store: Store): Promise<number> {
  const open = await store.calls({ state: OPEN_STATES, limit: 10_000 })
  const [oldest] = [...open].sort((a, b) => a.openedAt - b.openedAt)
  if (oldest === undefined) return Number.POSITIVE_INFINITY
  const [first] = await store.entriesOf(oldest.id)
  return first === undefined ? Number.POSITIVE_INFINITY : first.seq - 1
}

/** The last entry written before `at`, for retention by age. Archived entries count as older, and entries as ordered by time. */
export async function lastEntryBefore(source: JournalSource, at: number): Promise<number> {
  let low = (await source.spans()).at(-1)?.to ?? 0
  let high = (await source.head()).size
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const entry = parseEntry((await source.entries(middle, middle))[0]?.line ?? '')
    if (entry !== undefined && entry.at < at) low = middle
    else high = middle - 1
  }
  return low
}

async function* linesTo(
  store: Store,
  base: number,
  through: number,
  onLine: (line: string) => void,
): AsyncGenerator<string> {
  for (let from = base + 1; from <= through; from += PAGE) {
    const page = await store.entries(from, Math.min(through, from + PAGE - 1))
    for (const entry of page) onLine(entry.line)
    yield page.map((entry) => `${entry.line}\n`).join('')
  }
}
