import { OpenAPIHono } from '@hono/zod-openapi'
import { HTTPException } from 'hono/http-exception'
import { type DecidingEnv, requireSignIn } from './credentials.ts'
import { guard, limitBody, problem } from './guards.ts'
import { secureHeaders } from './headers.ts'
import { inboxFiles } from './inbox-files.ts'
import type { DecidingParts } from './parts.ts'
import { addApproverRoutes } from './routes/approvers.ts'
import { addGrantRoutes } from './routes/grants.ts'
import { addHeldRoutes } from './routes/held.ts'
import { addHistoryRoutes } from './routes/history.ts'
import { addPolicyRoutes } from './routes/policy.ts'
import { addSignInRoute, addSignOutRoute } from './routes/sign-in.ts'

const BASE = '/api/v1'

/**
 * The deciding side as one app. INVARIANT: the guards stand before every route, and every route but sign-in and the
 * document of the API behind the sign-in: a route added below cannot forget either.
 */
export function createDecidingApp(parts: DecidingParts, inbox: string | undefined): OpenAPIHono<DecidingEnv> {
  const app = new OpenAPIHono<DecidingEnv>()
  app.use('*', secureHeaders, guard(parts.origins), limitBody)
  const api = createApi(parts)
  app.get(`${BASE}/openapi.json`, (c) => c.json(documentOf(api, parts.version)))
  app.route(BASE, api)
  app.use('*', inboxFiles(inbox))
  app.notFound((c) => problem(c, 404, 'CS_PROTOCOL', 'there is nothing here; see docs/reference/http.md'))
  app.onError((error, c) => {
    if (error instanceof HTTPException)
      return problem(c, error.status, 'CS_PROTOCOL', 'the body is no JSON; see docs/reference/http.md')
    return problem(c, 500, 'CS_INTERNAL', 'something inside the service went wrong; nothing was decided')
  })
  return app
}

/** The API without what stands before it. */
export function createApi(parts: DecidingParts): OpenAPIHono<DecidingEnv> {
  const api = new OpenAPIHono<DecidingEnv>({
    defaultHook: (result, c) => {
      if (result.success) return undefined
      const [issue] = result.error.issues
      const where = issue?.path.join('.') ?? ''
      return problem(c, 400, 'CS_PROTOCOL', `\`${where}\` is not as the API has it; see docs/reference/http.md`)
    },
  })
  addSignInRoute(api, parts)
  api.use('*', requireSignIn(parts))
  addSignOutRoute(api, parts)
  addHeldRoutes(api, parts)
  addGrantRoutes(api, parts)
  addHistoryRoutes(api, parts)
  addPolicyRoutes(api, parts)
  addApproverRoutes(api, parts)
  return api
}

/** The API's document, OpenAPI 3.1, made from the schemas that check every request. */
export function documentOf(api: OpenAPIHono<DecidingEnv>, version: string) {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Countersign: the deciding side',
      version,
      description: 'Held calls, signed decisions, grants, history and the journal. Askers have another listener.',
    },
    servers: [{ url: BASE }],
  })
}
