import type { JournalPage } from './service.ts'

/** Entries per page. */
export const PAGE_LENGTH = 100

/** Reads the last page of the journal, then only new entries. */
export async function followJournal(
  before: JournalPage | undefined,
  read: (query: Readonly<Record<string, string>>) => Promise<JournalPage>,
): Promise<JournalPage> {
  const limit = String(PAGE_LENGTH)
  const last = before?.entries.at(-1)?.seq
  if (before === undefined || last === undefined) return read({ limit })
  const next = await read({ from: String(last + 1), limit })
  // The journal was truncated or grew by more than a page: start over.
  if (next.size < last || next.size - last > next.entries.length) return read({ limit })
  return { ...next, entries: [...before.entries, ...next.entries].slice(-PAGE_LENGTH) }
}
