// An in-memory journal for the tests in this folder. The extension keeps it out of the build.
import type { Change, Committed, Span, Store, StoredEntry } from '../ports/store.ts'
import { draftEntry } from './entry.ts'
import { crypto } from './fixture.mts'
import { appendLeaf, leafHash } from './merkle.ts'

/** Rows that a test can corrupt. */
export interface MemoryJournal {
  rows: StoredEntry[]
  spans: Span[]
  head: { size: number; frontier: string }
  checkpoints: { size: number; note: string }[]
}

/** Creates a journal with `size` entries. */
export function memoryJournal(size: number): MemoryJournal {
  const journal: MemoryJournal = { rows: [], spans: [], head: { size: 0, frontier: '' }, checkpoints: [] }
  for (let i = 0; i < size; i++) append(journal)
  return journal
}

export function append(
  journal: MemoryJournal,
  line = draftEntry({ kind: 'notice', call: null, n: journal.head.size }, 1000 + journal.head.size).line(
    journal.head.size + 1,
  ),
): void {
  const { size, frontier } = journal.head
  const leaf = leafHash(line, crypto)
  journal.rows.push({ seq: size + 1, line, leaf })
  journal.head = { size: size + 1, frontier: appendLeaf(frontier, size, leaf, crypto) }
}

/** The part of a store that the journal uses. */
export function storeOver(journal: MemoryJournal): Store {
  const unused = () => Promise.reject(new Error('not part of the journal'))
  return {
    async commit(change: Change): Promise<Committed> {
      for (const draft of change.entries) append(journal, draft.line(journal.head.size + 1))
      const through = change.archive?.at(-1)?.to ?? 0
      journal.spans.push(...(change.archive ?? []))
      journal.rows = journal.rows.filter((row) => row.seq > through)
      return { kind: 'committed', size: journal.head.size }
    },
    head: async () => journal.head,
    entries: async (from, to) => journal.rows.filter((row) => row.seq >= from && row.seq <= to),
    spans: async () => [...journal.spans],
    checkpoints: async () => [...journal.checkpoints],
    async saveCheckpoint(size, note) {
      journal.checkpoints.push({ size, note })
    },
    call: unused,
    calls: async () => [],
    grants: unused,
    counted: unused,
    changes: unused,
    changedWorkspaces: unused,
    entriesOf: unused,
    outlineOf: unused,
    version: () => 0,
    close: async () => undefined,
  }
}
