import { PROMETHEUS_TYPE } from '@countersign/telemetry'
import { z } from '@hono/zod-openapi'
import { type Context, type Env, Hono } from 'hono'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import { guard, originsOf, problem } from '../http/request-guards.ts'

const Metrics = z.string().openapi({ description: 'Prometheus’ text format, version 0.0.4.' })
const Ready = z.enum(['ok', 'store', 'clock', 'policy', 'signer']).openapi({ description: '`ok`, or what is missing.' })

const OPEN_ROUTES = [
  ['/health', 'Whether the process answers', { 200: 'The process answers.' }, z.enum(['ok'])],
  ['/ready', 'Whether calls can be answered', { 200: 'Ready.', 503: 'Not ready, and what is missing.' }, Ready],
] as const

/** The metrics, behind the sign-in like every route of the API; and the document of the routes beside the API. */
export function addMonitoringRoutes(app: DecidingApp, { monitoring }: { readonly monitoring: Monitoring }): void {
  defineRoute(
    app,
    { method: 'get', path: '/metrics', summary: 'All metrics, for Prometheus', answer: Metrics, type: 'text/plain' },
    (c) => metrics(c, monitoring),
  )
  for (const [path, summary, answers, schema] of OPEN_ROUTES)
    app.openAPIRegistry.registerPath({
      method: 'get',
      path,
      summary,
      security: [],
      servers: [{ url: '/' }],
      responses: Object.fromEntries(
        Object.entries(answers).map(([status, description]) => [
          status,
          { description, content: { 'text/plain': { schema } } },
        ]),
      ),
    })
}

/** `/health` and `/ready`: one word each, and nobody has to sign in. */
export function addHealthRoutes<E extends Env>(app: Hono<E>, monitoring: Monitoring): void {
  app.get('/health', (c) => c.text('ok\n'))
  app.get('/ready', async (c) => {
    const readiness = await monitoring.ready()
    return c.text(`${readiness}\n`, readiness === 'ok' ? 200 : 503)
  })
}

/** The app of `--metrics-port`. Nothing else of the service can be reached through it. */
export function createMonitoringApp(monitoring: Monitoring, port: number): Hono {
  const app = new Hono()
  app.use('*', guard(originsOf(port)))
  addHealthRoutes(app, monitoring)
  app.get('/metrics', (c) => metrics(c, monitoring))
  app.notFound((c) => problem(c, 404, 'CS_PROTOCOL', 'unknown route; read /metrics, /health or /ready'))
  app.onError((_, c) => problem(c, 500, 'CS_INTERNAL', 'internal error in the service'))
  return app
}

async function metrics(c: Context, monitoring: Monitoring): Promise<Response> {
  return c.body(await monitoring.metrics(), 200, { 'content-type': PROMETHEUS_TYPE })
}
