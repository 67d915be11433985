import { type JournalEntry, parseEntry } from '../../journal/entry.ts'
import type { Store } from '../../ports/store.ts'

const PAGE = 1000

/** Entries looked back over: what people ask about the past is about the near past. INVARIANT: L10. */
const LOOKED = 20_000

/** What the journal still says of calls that were judged lately, the last one first. */
export async function* pastJudged(
  store: Pick<Store, 'head' | 'entries'>,
  looked = LOOKED,
): AsyncGenerator<JournalEntry, void, void> {
  const { size } = await store.head()
  const until = Math.max(0, size - looked)
  for (let to = size; to > until; to -= PAGE) {
    const page = await store.entries(Math.max(until, to - PAGE) + 1, to)
    for (const { line } of page.toReversed()) {
      const entry = line.includes('"kind":"judged"') ? parseEntry(line) : undefined
      if (entry?.kind === 'judged') yield entry
    }
  }
}
