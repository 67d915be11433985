import type { JournalPage } from './service.ts'

/** Entries that the page shows at once. */
export const PAGE_LENGTH = 100

/** The end of the journal: all of it at first, then only what is new. */
export async function followJournal(
  before: JournalPage | undefined,
  read: (query: Readonly<Record<string, string>>) => Promise<JournalPage>,
): Promise<JournalPage> {
  const limit = String(PAGE_LENGTH)
  const last = before?.entries.at(-1)?.seq
  if (before === undefined || last === undefined) return read({ limit })
  const next = await read({ from: String(last + 1), limit })
  // Shorter than it was, or a whole page behind: what is shown is the end, so it is read anew.
  if (next.size < last || next.size - last > next.entries.length) return read({ limit })
  return { ...next, entries: [...before.entries, ...next.entries].slice(-PAGE_LENGTH) }
}
