import { createRoute, type OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { wordsOf } from '../../wire/public-error.ts'
import type { DecidingEnv } from '../auth/authentication.ts'
import { type InputShape, type RouteInput, readInput } from '../http/input-validation.ts'
import { problem } from '../http/request-guards.ts'
import { Problem } from './schemas.ts'

export type DecidingApp = OpenAPIHono<DecidingEnv>

/** What a route reads, and what it answers. */
export interface RouteShape<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>
  extends InputShape<P, Q, B> {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly summary: string
  readonly answer: z.ZodType
  /** Answers with the same shape under other codes, and why. */
  readonly also?: Readonly<Record<number, string>>
  /** Whether it needs no sign-in. */
  readonly isOpen?: true
  /** The kind of answer, when it is not JSON. */
  readonly type?: string
}

/** Adds a route: its input is checked by the schemas that the OpenAPI document shows, and its errors are one shape. */
export function defineRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  app: DecidingApp,
  shape: RouteShape<P, Q, B>,
  handler: (c: Context<DecidingEnv>, input: RouteInput<P, Q, B>) => Promise<Response> | Response,
): void {
  const route = createRoute(configOf(shape))
  app.openAPIRegistry.registerPath(route)
  // Not by `app.openapi`: its checks are a chain of promises, and answers are written by hand, so that large ones are
  // not copied through a schema.
  app.on([shape.method], [route.getRoutingPath()], async (c: Context<DecidingEnv>): Promise<Response> => {
    const input = await readInput(c, shape)
    if (input instanceof Response) return input
    try {
      return await handler(c, input)
    } catch (error) {
      const { code, message } = wordsOf(error)
      return problem(c, statusOf(code), code as Parameters<typeof problem>[2], message)
    }
  })
}

function statusOf(code: string): 400 | 401 | 404 | 409 | 422 | 429 | 500 {
  if (code === 'CS_SIGN_IN') return 401
  if (code === 'CS_GRANT_UNKNOWN' || code === 'CS_DECISION_UNKNOWN') return 404
  if (code === 'CS_STALE') return 409
  if (code === 'CS_DECISION_FORGED') return 422
  if (code === 'CS_QUEUE_FULL') return 429
  return code === 'CS_INTERNAL' || code.startsWith('CS_STORE') ? 500 : 400
}

function configOf<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(shape: RouteShape<P, Q, B>) {
  const { method, path, summary, params, query, body, answer, also = {}, isOpen, type = 'application/json' } = shape
  const said = (description: string, schema: z.ZodType, kind = 'application/json') => ({
    description,
    content: { [kind]: { schema } },
  })
  const others = Object.entries(also).map(([status, why]) => [status, said(why, answer)])
  return {
    method,
    path,
    summary,
    ...(isOpen === true ? { security: [] } : {}),
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: { required: true, content: { 'application/json': { schema: body } } } }),
    },
    responses: {
      200: said('Done.', answer, type),
      ...Object.fromEntries(others),
      default: said('Nothing happened, and why.', Problem),
    },
  } satisfies RouteConfig
}
