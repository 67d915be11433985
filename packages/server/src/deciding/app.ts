import { safeText } from '@countersign/core'
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import { HTTPException } from 'hono/http-exception'
import { type DecidingEnv, refuseAskers, requireSignIn } from './credentials.ts'
import { guard, limitBody, problem } from './guards.ts'
import { inboxFiles } from './inbox-files.ts'
import type { DecidingParts } from './parts.ts'
import { addApproverRoutes } from './routes/approvers.ts'
import { addGrantRoutes } from './routes/grants.ts'
import { addHeldRoutes } from './routes/held.ts'
import { addHistoryRoutes } from './routes/history.ts'
import { addPolicyRoutes } from './routes/policy.ts'
import { addSignInRoute, addSignOutRoute } from './routes/sign-in.ts'

const BASE = '/api/v1'
/** As much of a field's name is repeated. */
const MAX_FIELD = 100

/**
 * The deciding side as one app. INVARIANT: the guards stand before every route, askers are turned away from all of them,
 * and every route but sign-in and the document of the API is behind the sign-in: one added below cannot forget any.
 */
export function createDecidingApp(parts: DecidingParts, inbox: string | undefined): OpenAPIHono<DecidingEnv> {
  const app = new OpenAPIHono<DecidingEnv>()
  app.use('*', guard(parts.origins), limitBody, refuseAskers(parts))
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
      const where = fieldOf(result.error.issues[0])
      return problem(c, 400, 'CS_PROTOCOL', `${where} is not as the API has it; see docs/reference/http.md`)
    },
  })
  api.openAPIRegistry.registerComponent('securitySchemes', 'signIn', {
    type: 'apiKey',
    in: 'cookie',
    name: 'countersign-4180',
    description: 'The cookie of `POST /sign-in`. Its name ends in the port of the service.',
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

/** The field that is wrong, in words; one too many is named as well. */
function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  const path = (issue?.path ?? []).map(String)
  if (issue?.code === 'unrecognized_keys') path.push(...issue.keys.slice(0, 1))
  return path.length === 0 ? 'the body' : `\`${safeText(path.join('.').slice(0, MAX_FIELD))}\``
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
    security: [{ signIn: [] }],
  })
}
