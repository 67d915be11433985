/** The service answers only its own origin (no CORS), so the base path is fixed. */
export const API = '/api/v1'

/** Timeout of bounded requests. */
const TIMEOUT_MS = 10_000

/** An error status of the service, or 0 if it did not respond. */
export class ServiceError extends Error {
  readonly status: number
  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

/** Options of a request. */
export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  /** Times out after ten seconds. */
  readonly isBounded?: boolean
  readonly as?: 'json' | 'text'
}

/** A response with any status. `body` is null for an error without JSON. */
export interface ServiceResponse {
  readonly status: number
  readonly isOk: boolean
  readonly body: unknown
}

/**
 * Sends a request and returns the response, whatever its status. Throws a `ServiceError` with status 0 if there is no
 * complete response.
 */
export async function exchange(
  path: string,
  { method, body, isBounded, as }: RequestOptions = {},
): Promise<ServiceResponse> {
  const answer = await fetch(`${API}${path}`, {
    credentials: 'same-origin',
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ...(isBounded === true ? { signal: AbortSignal.timeout(TIMEOUT_MS) } : {}),
  }).catch((cause: unknown) => {
    throw new ServiceError(0, 'the service is not responding; is it running?', cause)
  })
  return { status: answer.status, isOk: answer.ok, body: await bodyOf(answer, as) }
}

/**
 * A successful response that is cut off or not from the service is an error: read as empty, it would clear the page.
 */
async function bodyOf(answer: Response, as: RequestOptions['as']): Promise<unknown> {
  if (!answer.ok) return answer.json().catch(() => null)
  return (as === 'text' ? answer.text() : answer.json()).catch((cause: unknown) => {
    throw new ServiceError(0, 'the response was incomplete or did not come from the service; try again', cause)
  })
}

/** Sends a request and returns the body. Throws a `ServiceError` with the service's message on an error status. */
export async function askService<T>(path: string, options?: RequestOptions): Promise<T> {
  const { status, isOk, body } = await exchange(path, options)
  if (!isOk) throw new ServiceError(status, errorMessageIn(body) ?? `the service returned status ${status}`)
  return body as T
}

/** The error message in a response body, if there is one. */
export function errorMessageIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  const { error } = value
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return typeof error.message === 'string' ? error.message : undefined
}
