import { describe, expect, it } from 'vitest'
import { followJournal } from './follow-journal.ts'
import type { JournalPage } from './service.ts'

/** A journal of `size` entries, as the service returns it, with the queries it received. */
function journalOf(size: number) {
  const asked: Readonly<Record<string, string>>[] = []
  return {
    asked,
    async read(query: Readonly<Record<string, string>>): Promise<JournalPage> {
      asked.push(query)
      const limit = Number(query['limit'])
      const from = query['from'] === undefined ? Math.max(1, size - limit + 1) : Number(query['from'])
      const seqs = Array.from({ length: Math.max(0, Math.min(limit, size - from + 1)) }, (_, at) => from + at)
      return { size, entries: seqs.map((seq) => ({ seq, v: 1, at: 0, kind: 'notice', call: null })) }
    },
  }
}

const ends = ({ entries }: JournalPage) => [entries[0]?.seq, entries.at(-1)?.seq, entries.length]

describe('following the journal', () => {
  it('reads the last page once, then only new entries', async () => {
    const first = await followJournal(undefined, journalOf(1_000).read)
    expect(ends(first)).toEqual([901, 1_000, 100])
    const later = journalOf(1_003)
    const second = await followJournal(first, later.read)
    expect(later.asked).toEqual([{ from: '1001', limit: '100' }])
    expect(ends(second)).toEqual([904, 1_003, 100])
    expect(ends(await followJournal(second, journalOf(1_003).read))).toEqual([904, 1_003, 100])
  })

  it.each([
    ['shorter', 500],
    ['far longer', 5_000],
  ])('reads the last page again when the journal is %s', async (_, size) => {
    const first = await followJournal(undefined, journalOf(1_000).read)
    expect(ends(await followJournal(first, journalOf(size).read))).toEqual([size - 99, size, 100])
  })
})
