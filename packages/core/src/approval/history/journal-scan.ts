import { type JournalEntry, parseEntry } from '../../journal/entry.ts'
import type { EntryKind } from '../../journal/entry-kind.ts'
import type { Store } from '../../ports/store.ts'

const PAGE = 1000

/** How many entries back the history reaches. INVARIANT: L10. */
const MAX_ENTRIES = 20_000

/** The `judged` entries of the last `most` entries, newest first. */
export function pastJudged(
  store: Pick<Store, 'head' | 'entries'>,
  most = MAX_ENTRIES,
): AsyncGenerator<JournalEntry, void, void> {
  return pastEntries(store, 'judged', most)
}

/** The entries of one kind among the last `most` entries, newest first. */
export async function* pastEntries(
  store: Pick<Store, 'head' | 'entries'>,
  kind: EntryKind,
  most = MAX_ENTRIES,
): AsyncGenerator<JournalEntry, void, void> {
  const { size } = await store.head()
  const until = Math.max(0, size - most)
  for (let to = size; to > until; to -= PAGE) {
    const page = await store.entries(Math.max(until, to - PAGE) + 1, to)
    for (const { line } of page.toReversed()) {
      const entry = line.includes(`"kind":"${kind}"`) ? parseEntry(line) : undefined
      if (entry?.kind === kind) yield entry
    }
  }
}

/**
 * Whether a call may have been started since the journal had `after` entries. A row can be put back to an earlier state,
 * with the decision that was spent on it; the journal cannot, without showing. SECURITY: A9, if entries since then were
 * archived or are missing, a start cannot be ruled out.
 */
export async function wasStarted(callId: string, after: number, store: Store): Promise<boolean> {
  const { size } = await store.head()
  if (size < after || ((await store.spans()).at(-1)?.to ?? 0) > after) return true
  for (let from = after + 1; from <= size; from += PAGE) {
    const to = Math.min(size, from + PAGE - 1)
    const page = await store.entries(from, to)
    if (page.length !== to - from + 1 || page.some(({ line }) => isStart(line, callId))) return true
  }
  return false
}

function isStart(line: string, callId: string): boolean {
  if (!line.includes(callId)) return false
  const entry = parseEntry(line)
  return entry === undefined || (entry.call === callId && entry.kind === 'started')
}
