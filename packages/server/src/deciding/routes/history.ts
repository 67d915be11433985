import {
  type CallQuery,
  type JournalVerdict,
  journalOrigin,
  type PastCall,
  parseEntry,
  verifyJournal,
} from '@countersign/core'
import { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../define-route.ts'
import type { DecidingParts } from '../parts.ts'
import { History, HistoryQuery, JournalPage, JournalQuery } from '../schemas.ts'

const PAGE = 500
const MOST_EXPORTED = 10_000
const VERIFIED_MS = 10_000

/** Calls of the past, and the journal with what its verification says. */
export function addHistoryRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { main, now } = parts
  const verify = createVerifier(parts)

  async function callsOf(query: Query, most: number): Promise<readonly PastCall[]> {
    if (query.call === undefined) return main.desk.history(queryOf(query, most))
    const call = await main.desk.past(query.call)
    return call === undefined ? [] : [call]
  }

  defineRoute(
    app,
    { method: 'get', path: '/history', summary: 'Past calls, newest first', query: HistoryQuery, answer: History },
    async (c, { query }) => c.json({ calls: await callsOf(query, 100) }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/history.jsonl',
      summary: 'Past calls, newest first, one JSON object a line',
      query: HistoryQuery,
      answer: z.string(),
      type: 'application/jsonl',
    },
    async (c, { query }) => {
      const calls = await callsOf(query, MOST_EXPORTED)
      return c.body(calls.map((call) => `${JSON.stringify(call)}\n`).join(''), 200, {
        'Content-Type': 'application/jsonl; charset=utf-8',
        'Content-Disposition': 'attachment; filename="countersign-history.jsonl"',
      })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/journal',
      summary: 'Entries of the journal, and whether it verifies',
      query: JournalQuery,
      answer: JournalPage,
    },
    async (c, { query }) => {
      const { store } = main.ports
      const { size } = await store.head()
      const { from, to } = pageOf(query, size)
      const rows = to < from ? [] : await store.entries(from, to)
      const archived = (await store.spans()).at(-1)?.to ?? 0
      return c.json({
        entries: rows.flatMap(({ line }) => parseEntry(line) ?? []),
        size,
        archived,
        verified: await verify(now()),
      })
    },
  )
}

/** The entries of one page: from where was asked, else the last up to where was asked. */
export function pageOf(asked: z.output<typeof JournalQuery>, size: number) {
  const end = asked.to ?? (asked.from === undefined ? size : asked.from + PAGE - 1)
  const to = Math.min(end, size)
  return { from: Math.max(1, asked.from ?? 1, to - PAGE + 1), to }
}

type Query = z.output<typeof HistoryQuery>

function queryOf({ tool, outcome, session, since, before, limit }: Query, most: number): CallQuery {
  return {
    limit: limit ?? most,
    ...(tool === undefined ? {} : { tool }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(session === undefined ? {} : { session }),
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
  }
}

/** Reading a whole journal takes a while, so an answer stands for some seconds; two who ask at once share one reading. */
function createVerifier({ main }: DecidingParts) {
  const { store, crypto, signer, heads } = main.ports
  let known: { readonly at: number; readonly verdict: Promise<JournalVerdict> } | undefined

  async function read(): Promise<JournalVerdict> {
    const kept = await heads.kept()
    return verifyJournal(store, { crypto, kept, publicKeys: [signer.publicKey], origin: journalOrigin(signer) })
  }

  return async (at: number) => {
    if (known === undefined || at - known.at > VERIFIED_MS) known = { at, verdict: read() }
    const mine = known
    const verdict = await mine.verdict
    if (verdict.kind === 'damaged') {
      const { kind, message } = verdict.damage
      return { size: 0, root: null, signedTo: 0, keptTo: 0, damage: [{ kind, message }], at: mine.at }
    }
    const { size, root, signedTo, keptTo } = verdict
    return { size, root, signedTo, keptTo, damage: [], at: mine.at }
  }
}
