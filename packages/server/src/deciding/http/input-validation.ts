import { safeText } from '@countersign/core'
import type { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { problem } from './request-guards.ts'

/** As much of a field's name is repeated. */
const MAX_FIELD = 100

/** The schemas of what a route reads. */
export interface InputShape<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
}

/** What a route reads, as its schemas have it; undefined where it has none. */
export interface RouteInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
}

/**
 * Reads what a request brings and checks it; an answer where something is wrong. All but the body is done with before it
 * has come: then only the body stands between a person's decision and the caller that waits for it.
 */
export async function readInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
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
    return problem(c, 400, 'CS_PROTOCOL', 'the body is no JSON; see docs/reference/http.md')
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

/** What stands behind the `?`: a text, or all of them where a name comes again. */
function queryOf(c: Context): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, [first = '', ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more],
    ]),
  )
}

function misfit(c: Context, { issues }: z.ZodError): Response {
  return problem(c, 400, 'CS_PROTOCOL', `${fieldOf(issues[0])} is not as the API has it; see docs/reference/http.md`)
}

/** The field that is wrong, in words; one too many is named as well. */
function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  const path = (issue?.path ?? []).map(String)
  if (issue?.code === 'unrecognized_keys') path.push(...issue.keys.slice(0, 1))
  return path.length === 0 ? 'the body' : `\`${safeText(path.join('.').slice(0, MAX_FIELD))}\``
}
