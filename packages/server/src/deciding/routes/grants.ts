import type { GrantScope } from '@countersign/core'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { CallId, Done, GrantList, WouldMatch, WouldMatchAsked } from '../api/schemas.ts'
import { grantedCall } from '../reports/grant-origin.ts'

/** Standing permissions: what was given, how to take it back, and what one would cover. */
export function addGrantRoutes(app: DecidingApp, { main, board, feed, now }: DecidingParts): void {
  const { desk } = main

  defineRoute(
    app,
    { method: 'get', path: '/grants', summary: 'Grants that live, with how often each was used', answer: GrantList },
    async (c) => {
      const grants = await desk.grants().list()
      const told = await Promise.all(grants.map(async (one) => ({ ...one, from: await grantedCall(one, main) })))
      return c.json({ grants: told, now: now() })
    },
  )

  defineRoute(
    app,
    { method: 'delete', path: '/grants/{id}', summary: 'Revoke a grant at once', params: CallId, answer: Done },
    async (c, { params }) => {
      const by = await board.nameOf(c.get('signedIn').approver)
      await desk.grants().revoke(params.id, by ?? 'inbox')
      feed.wake()
      return c.json({ done: true })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/grants/would-match',
      summary: 'What a grant of this scope would have covered in the past',
      body: WouldMatchAsked,
      answer: WouldMatch,
    },
    async (c, { body }) => c.json(await desk.wouldMatch(body.scope as GrantScope)),
  )
}
