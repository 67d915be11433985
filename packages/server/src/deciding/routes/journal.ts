import { parseEntry } from '@countersign/core'
import type { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import { JournalPage, JournalQuery, Verified, VerifyQuery } from '../api/record-schemas.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { createJournalVerifier } from '../reports/journal-verifier.ts'

const PAGE = 500

/** The journal and its verification. Reading a page verifies nothing: verification is a separate request. */
export function addJournalRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { store } = parts.main.ports
  const verifier = createJournalVerifier(parts)

  defineRoute(
    app,
    {
      method: 'get',
      path: '/journal',
      summary: 'Journal entries, and the result of the last verification',
      query: JournalQuery,
      answer: JournalPage,
    },
    async (c, { query }) => {
      const { size } = await store.head()
      const { from, to } = pageOf(query, size)
      const rows = to < from ? [] : await store.entries(from, to)
      const archived = (await store.spans()).at(-1)?.to ?? 0
      const entries = rows.flatMap(({ line }) => parseEntry(line) ?? [])
      return c.json({ entries, size, archived, verified: verifier.known() })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/journal/verified',
      summary: 'Verify the journal: new entries since the last verification, or all',
      query: VerifyQuery,
      answer: Verified,
    },
    async (c, { query }) => c.json(await verifier.read(query.whole === 'true' ? 'whole' : 'since')),
  )
}

/** The entries of one page: the first from where was asked, else the last up to where was asked. */
export function pageOf({ from, to: last, limit = PAGE }: z.output<typeof JournalQuery>, size: number) {
  const end = Math.min(last ?? size, size)
  if (from === undefined) return { from: Math.max(1, end - limit + 1), to: end }
  const first = Math.max(1, from)
  return { from: first, to: Math.min(end, first + limit - 1) }
}
