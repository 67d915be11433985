import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type Span, type Store } from '@countersign/core'
import type { Home } from '@countersign/node'
import { linesOf } from './export-file.ts'

const PAGE = 1000

/** The lines of a journal, from the archives and the store as one. */
export interface JournalLines {
  /** The first entry whose line is still there; entries before it are known by `spans`. */
  readonly first: number
  readonly spans: readonly Span[]
  lines(from: number, to: number): AsyncIterable<string>
}

interface Archived {
  readonly from: number
  readonly through: number
  readonly path: string
}

/** Opens the lines of a journal. Archives that were deleted are missing, and what comes before them. */
export async function openJournalLines(home: Home, store: Pick<Store, 'spans' | 'entries'>): Promise<JournalLines> {
  const spans = await store.spans()
  const archived = spans.at(-1)?.to ?? 0
  const parts = contiguous(archivesIn(home), archived)
  const first = parts[0]?.from ?? archived + 1
  const before = spans.filter(({ to }) => to < first)
  if ((before.at(-1)?.to ?? 0) !== first - 1)
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      'an archive begins within the hashes of the store; restore the archives',
    )
  return {
    first,
    spans: before,
    async *lines(from, to) {
      for (const part of parts) {
        if (part.through < from || part.from > to) continue
        let seq = part.from
        for await (const line of linesOf(part.path)) {
          if (seq >= from && seq <= to) yield line
          seq += 1
        }
        if (seq !== part.through + 1)
          throw new CountersignError('CS_JOURNAL_DAMAGED', `\`${part.path}\` is not complete; restore it from a backup`)
      }
      for (let at = Math.max(from, archived + 1); at <= to; at += PAGE)
        for (const { line } of await store.entries(at, Math.min(to, at + PAGE - 1))) yield line
    },
  }
}

function archivesIn(home: Home): readonly Archived[] {
  if (!existsSync(home.archive)) return []
  return readdirSync(home.archive).flatMap((name) => {
    const [, from, through] = /^journal-(\d+)-(\d+)\.jsonl$/.exec(name) ?? []
    return from === undefined ? [] : [{ from: Number(from), through: Number(through), path: join(home.archive, name) }]
  })
}

/** The archives that lead up to `archived` without a gap, rising. */
function contiguous(all: readonly Archived[], archived: number): readonly Archived[] {
  const parts: Archived[] = []
  for (let to = archived; to > 0; ) {
    const part = all.find(({ through }) => through === to)
    if (part === undefined || part.from > to) break
    parts.unshift(part)
    to = part.from - 1
  }
  return parts
}
