import { safeText } from '@countersign/core'
import { createRoute, type OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { wordsOf } from '../../wire/public-error.ts'
import type { DecidingEnv } from '../auth/authentication.ts'
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
      default: said('Nothing happened; the body gives the reason.', Problem),
    },
  } satisfies RouteConfig
}

/** As much of a field's name is repeated. */
const MAX_FIELD = 100

/** The schemas of what a route reads. */
interface InputShape<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
}

/** What a route reads, as its schemas have it; undefined where it has none. */
interface RouteInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
}

/**
 * Reads what a request brings and checks it; an answer where something is wrong. All but the body is done with before it
 * has arrived: a person's decision reaches the waiting caller as soon as its body is read.
 */
async function readInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  c: Context,
  shape: InputShape<P, Q, B>,
): Promise<RouteInput<P, Q, B> | Response> {
  const query = shape.query?.safeParse(queryOf(c))
  if (query?.success === false) return misfit(c, query.error)
  const params = shape.params?.safeParse(c.req.param())
  if (params?.success === false) return misfit(c, params.error)
  if (shape.body === undefined) return inputOf<P, Q, B>(params?.data, query?.data, undefined)
  let given: unknown
  try {
    given = await c.req.json()
  } catch {
    return problem(c, 400, 'CS_PROTOCOL', 'the body is not JSON; see docs/reference/http.md')
  }
  const body = shape.body.safeParse(given)
  return body.success ? inputOf<P, Q, B>(params?.data, query?.data, body.data) : misfit(c, body.error)
}

function inputOf<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  params: z.output<P> | undefined,
  query: z.output<Q> | undefined,
  body: z.output<B> | undefined,
): RouteInput<P, Q, B> {
  return { params, query, body } as RouteInput<P, Q, B> // a handler looks only at what its route has a schema for
}

/** The query string: a text per name, or a list where a name is repeated. */
function queryOf(c: Context): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, [first = '', ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more],
    ]),
  )
}

function misfit(c: Context, { issues }: z.ZodError): Response {
  return problem(c, 400, 'CS_PROTOCOL', `${fieldOf(issues[0])} is invalid or unknown; see docs/reference/http.md`)
}

/** Names the invalid field, or the unknown one. */
function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  const path = (issue?.path ?? []).map(String)
  if (issue?.code === 'unrecognized_keys') path.push(...issue.keys.slice(0, 1))
  return path.length === 0 ? 'the body' : `\`${safeText(path.join('.').slice(0, MAX_FIELD))}\``
}
