import { ServerResponse } from 'node:http'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Receipt, SignedDecision as Signed } from '@countersign/core'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import { History } from '../api/record-schemas.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import {
  CallId,
  Held,
  HeldCall,
  Receipt as ReceiptAnswer,
  SignedDecision,
  StreamQuery,
  ToolDefinition,
} from '../api/schemas.ts'
import { problem } from '../http/request-guards.ts'
import { openStream } from '../stream/event-stream.ts'

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no', // a proxy in front must not collect events
}

/** What waits for a person: listed, streamed, decided. */
export function addHeldRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { board, feed, signIn, attempts, main, now } = parts

  defineRoute(
    app,
    {
      method: 'get',
      path: '/held',
      summary:
        'All held calls, soonest deadline first: complete up to 32 KiB each and 4 MiB in total, otherwise as summaries',
      answer: Held,
    },
    async (c) => {
      const lines = await board.list()
      const held = lines.map(({ json }) => json).join(',') // each was written out already
      return c.body(`{"held":[${held}],"now":${now()}}`, 200, { 'Content-Type': 'application/json' })
    },
  )

  defineRoute(
    app,
    { method: 'get', path: '/held/{id}', summary: 'One held call, complete', params: CallId, answer: HeldCall },
    async (c, { params }) => {
      const view = await board.view(params.id)
      return view === undefined ? notHeld(c) : c.json(view)
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/held/{id}/definition',
      summary: 'The definition of a held call’s tool, with the schema of its arguments',
      params: CallId,
      answer: ToolDefinition,
    },
    async (c, { params }) => c.json({ definition: await board.definition(params.id) }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/held/{id}/similar',
      summary: 'Previous decisions on calls like this one, including expired ones; none if it cannot be compared',
      params: CallId,
      answer: History,
    },
    async (c, { params }) => {
      const call = await board.past(params.id)
      if (call === undefined) return notHeld(c)
      return c.json({ calls: await main.desk.similar(params.id) })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/held/{id}/decision',
      summary: 'Decide one held call, with a signed decision',
      params: CallId,
      body: SignedDecision,
      answer: ReceiptAnswer,
      also: {
        404: 'No call has this id.',
        409: 'The call was already decided or closed: the receipt shows by whom and how.',
        422: 'The decision is invalid and the call is still held: the message explains why.',
      },
    },
    async (c, { params, body }) => {
      const { id } = c.get('signedIn')
      const receipt = await board.decide(params.id, body as unknown as Signed, () => attempts.mayRecord(id))
      await turnOfTheLoop() // the waiting caller first: it continues in this turn, and everything else in the next
      if (receipt.accepted) void signIn.note(id, body.approver)
      feed.wake()
      return c.json(receipt, statusOf(receipt))
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/stream',
      summary: 'Event stream (server-sent events): snapshot, held, closed, notice, grants, policy, now',
      query: StreamQuery,
      answer: z.string(),
      type: 'text/event-stream',
    },
    (c, { query }) => {
      const { id } = c.get('signedIn')
      const last = c.req.header('last-event-id') ?? query.last
      const { outgoing } = c.env
      if (c.req.raw.method === 'HEAD' || !(outgoing instanceof ServerResponse)) return c.body(null, 200, STREAM_HEADERS)
      outgoing.writeHead(200, STREAM_HEADERS)
      outgoing.flushHeaders()
      void openStream(
        {
          feed,
          board,
          now,
          isStillSignedIn: () => signIn.lives(id),
          whenSignedOut: (ended) => signIn.watch(id, ended),
          session: query.session,
          last: last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : undefined,
        },
        outgoing,
      )
      return RESPONSE_ALREADY_SENT
    },
  )
}

function statusOf({ accepted, state }: Receipt): 200 | 404 | 409 | 422 {
  if (accepted) return 200
  return state === 'unknown' ? 404 : state === 'held' ? 422 : 409
}

function notHeld(c: Parameters<typeof problem>[0]): Response {
  return problem(c, 404, 'CS_DECISION_UNKNOWN', 'no held call has this id; list the held calls')
}
