import { OpenAPIHono } from '@hono/zod-openapi'
import type { DecidingParts } from './api/route-dependencies.ts'
import { type DecidingEnv, refuseAskers, requireSignIn } from './auth/authentication.ts'
import { guard, limitBody, listForOtherSites, problem } from './http/request-guards.ts'
import { inboxFiles } from './http/static-files.ts'
import { addAgentRoutes } from './routes/agents.ts'
import { addApproverRoutes } from './routes/approvers.ts'
import { addChangeRoutes } from './routes/changes.ts'
import { addGrantRoutes } from './routes/grants.ts'
import { addHeldRoutes } from './routes/held.ts'
import { addHistoryRoutes } from './routes/history.ts'
import { addJournalRoutes } from './routes/journal.ts'
import { addHealthRoutes, addMonitoringRoutes } from './routes/monitoring.ts'
import { addNotificationRoutes } from './routes/notifications.ts'
import { addPolicyRoutes } from './routes/policy.ts'
import { addQuarantineRoutes } from './routes/quarantine.ts'
import { addRulesRoutes } from './routes/rules.ts'
import { addSignInRoute, addSignOutRoute } from './routes/sign-in.ts'
import { addUndoRoutes } from './routes/undo.ts'

const BASE = '/api/v1'

/**
 * The deciding side as one app. INVARIANT: the guards run before every route, agents are turned away from all of them,
 * and every route but sign-in, the document of the API, `/health` and `/ready` is behind the sign-in: one added below cannot
 * forget any.
 */
export function createDecidingApp(parts: DecidingParts, inbox: string | undefined): OpenAPIHono<DecidingEnv> {
  const app = new OpenAPIHono<DecidingEnv>()
  app.use('*', guard(parts.origins), limitBody, refuseAskers(parts))
  addHealthRoutes(app, parts.monitoring)
  const api = createApi(parts)
  app.get(`${BASE}/openapi.json`, (c) => c.json(documentOf(api, parts.version)))
  app.route(BASE, api)
  app.use('*', listForOtherSites(parts.origins), inboxFiles(inbox))
  app.notFound((c) => problem(c, 404, 'CS_PROTOCOL', 'unknown route; see docs/reference/http.md'))
  app.onError((_, c) => problem(c, 500, 'CS_INTERNAL', 'internal error in the service; nothing was decided'))
  return app
}

/** The API without guards and sign-in. */
export function createApi(parts: DecidingParts): OpenAPIHono<DecidingEnv> {
  const api = new OpenAPIHono<DecidingEnv>()
  api.openAPIRegistry.registerComponent('securitySchemes', 'signIn', {
    type: 'apiKey',
    in: 'cookie',
    name: 'countersign-4180',
    description: 'The cookie set by `POST /sign-in`. Its name ends with the port of the service.',
  })
  addSignInRoute(api, parts)
  api.use('*', requireSignIn(parts))
  addSignOutRoute(api, parts)
  addHeldRoutes(api, parts)
  addGrantRoutes(api, parts)
  addChangeRoutes(api, parts)
  addUndoRoutes(api, parts)
  addHistoryRoutes(api, parts)
  addJournalRoutes(api, parts)
  addPolicyRoutes(api, parts)
  addQuarantineRoutes(api, parts)
  addRulesRoutes(api, parts)
  addApproverRoutes(api, parts)
  addNotificationRoutes(api, parts)
  addAgentRoutes(api, parts)
  addMonitoringRoutes(api, parts)
  return api
}

/** The OpenAPI 3.1 document, generated from the schemas that validate every request. */
function documentOf(api: OpenAPIHono<DecidingEnv>, version: string): object {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Countersign: the deciding side',
      version,
      description: 'Held calls, signed decisions, grants, history and the journal. Agents use a separate socket.',
    },
    servers: [{ url: BASE }],
    security: [{ signIn: [] }],
  })
}

/** The OpenAPI document without a running service. */
export function openApiDocument(version: string): object {
  const unused = new Proxy({}, { get: () => unused, apply: () => unused }) as never
  const parts = { main: { ports: unused, desk: unused, gate: unused } } as unknown as DecidingParts
  return documentOf(createApi(parts), version)
}
