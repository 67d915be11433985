import { type CallQuery, type PastCall, parseEntry } from '@countersign/core'
import { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import { History, HistoryQuery, PastDetails, SaidNow, Seen } from '../api/record-schemas.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { CallId, FeedbackBody } from '../api/schemas.ts'
import { problem } from '../http/request-guards.ts'
import { saysNow } from '../reports/current-verdict.ts'

const MOST_EXPORTED = 10_000
/** Calls looked through, and names told of each kind. INVARIANT: L10 */
const LOOKED = 10_000
const MOST_ENTRIES = 200
const MOST_SEEN = 500

/** Past calls: as a list, as an export, and one with all of its journal entries. */
export function addHistoryRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { main } = parts
  const { desk, ports } = main

  async function callsOf(query: Query, most: number): Promise<readonly PastCall[]> {
    if (query.call === undefined) return desk.history(queryOf(query, most))
    const call = await desk.past(query.call)
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
      path: '/history/{id}',
      summary: 'One past call, with its first and last journal entries',
      params: CallId,
      answer: PastDetails,
    },
    async (c, { params }) => {
      const call = await desk.past(params.id)
      if (call === undefined)
        return problem(c, 404, 'CS_DECISION_UNKNOWN', 'no past call has this id; list the history')
      const { entries, more } = await ports.store.outlineOf(params.id, MOST_ENTRIES)
      return c.json({ call, entries: entries.flatMap(({ line }) => parseEntry(line) ?? []), more })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/history/{id}/now',
      summary: 'The current verdict for a past call; nothing is held or recorded',
      params: CallId,
      answer: SaidNow,
    },
    async (c, { params }) => c.json({ now: await saysNow(params.id, parts) }),
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/history/{id}/feedback',
      summary: 'Record whether a decided call was worth asking about; changes no rule',
      params: CallId,
      body: FeedbackBody,
      answer: z.object({ recorded: z.literal(true) }),
    },
    async (c, { params, body }) => {
      await desk.feedback(params.id, body.answer, 'web')
      return c.json({ recorded: true as const })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/seen',
      summary: 'Tools, agents and approvers of past calls, for filters',
      answer: Seen,
    },
    async (c) => {
      const past = await desk.history({ limit: LOOKED, unsealed: true })
      return c.json({
        tools: names(past.map(({ tool }) => tool)),
        agents: names(past.map(({ agent }) => agent)),
        approvers: names(past.flatMap(({ decision }) => decision?.approver ?? [])),
      })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/history.jsonl',
      summary: 'Past calls, newest first, one JSON object per line',
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
}

type Query = z.output<typeof HistoryQuery>

function queryOf({ call: _, limit, ...given }: Query, most: number): CallQuery {
  const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...asked, limit: limit ?? most }
}

/** Each once, in the order of the alphabet. */
function names(all: readonly string[]): readonly string[] {
  return [...new Set(all)].slice(0, MOST_SEEN).toSorted()
}
