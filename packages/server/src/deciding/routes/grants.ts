import { type GivenGrant, type GrantScope, isJsonObject, type JsonObject, parseEntry } from '@countersign/core'
import type { OpenedGate } from '@countersign/node'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import { GrantList, WouldMatch, WouldMatchAsked } from '../api/grant-schemas.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { CallId, Done } from '../api/schemas.ts'

/** Standing permissions: what was given, how to take it back, and what one would cover. */
export function addGrantRoutes(app: DecidingApp, { main, board, feed, now }: DecidingParts): void {
  const { desk } = main

  defineRoute(
    app,
    { method: 'get', path: '/grants', summary: 'Active grants, with their number of uses', answer: GrantList },
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
      summary: 'How many past calls a grant of this scope would have covered',
      body: WouldMatchAsked,
      answer: WouldMatch,
    },
    async (c, { body }) => c.json(await desk.wouldMatch(body.scope as GrantScope)),
  )
}

/** Arguments of more than so many characters are not told along with a grant. INVARIANT: L10 */
const MOST_ARGS = 4_096
const MOST_ENTRIES = 200

/** A call that a grant was given for, as the journal tells it. */
interface GrantedCall {
  readonly tool: string
  readonly summary: string
  readonly args: JsonObject | null
}

/**
 * The call that a grant was given for. SECURITY: A3 which call it was, the grant's row says, and nobody signed that: for
 * exact arguments the journal's entry must carry the key that the grant is bound to, or else nothing is told.
 */
async function grantedCall(
  { call, scope }: GivenGrant,
  { desk, ports }: Pick<OpenedGate, 'desk' | 'ports'>,
): Promise<GrantedCall | null> {
  if (call === null) return null
  const past = await desk.past(call)
  if (past === undefined) return null
  const { entries } = await ports.store.outlineOf(call, MOST_ENTRIES)
  const fitting = entries
    .map(({ line }) => parseEntry(line))
    .findLast((entry) => entry?.kind === 'judged' && (scope.kind !== 'exact' || entry['grantKey'] === scope.grantKey))
  if (fitting === undefined) return null
  const { tool, args } = fitting
  const isSmall = isJsonObject(args) && JSON.stringify(args).length <= MOST_ARGS
  return { tool: String(tool), summary: past.summary, args: isSmall ? args : null }
}
