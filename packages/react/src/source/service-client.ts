/** The service answers the pages of its own origin and no other: there is no CORS, so there is no address to choose. */
export const API = '/api/v1'

/** What every decision waits for is not waited for for ever. */
const ANSWER_MS = 10_000

/** The service said no (its status), or did not answer (0). */
export class ServiceError extends Error {
  readonly status: number
  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

/** How the service is asked. */
export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  /** Given up after ten seconds. */
  readonly isBounded?: boolean
  readonly as?: 'json' | 'text'
}

/** What the service answered, whatever it was; null where it said no in something else than JSON. */
export interface Answer {
  readonly status: number
  readonly isOk: boolean
  readonly said: unknown
}

/** Asks the service, and gives back what it said. Throws a `ServiceError` of status 0 where nobody answers, or not whole. */
export async function exchange(path: string, { method, body, isBounded, as }: Question = {}): Promise<Answer> {
  const answer = await fetch(`${API}${path}`, {
    credentials: 'same-origin',
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ...(isBounded === true ? { signal: AbortSignal.timeout(ANSWER_MS) } : {}),
  }).catch((cause: unknown) => {
    throw new ServiceError(0, 'the service does not answer; is it running?', cause)
  })
  return { status: answer.status, isOk: answer.ok, said: await saidIn(answer, as) }
}

/** A yes whose text broke off, or is somebody else's page, is no answer: taken as empty, it would empty what is shown. */
async function saidIn(answer: Response, as: Question['as']): Promise<unknown> {
  if (!answer.ok) return answer.json().catch(() => null)
  return (as === 'text' ? answer.text() : answer.json()).catch((cause: unknown) => {
    throw new ServiceError(0, 'the service’s answer broke off, or is none of its own; try again', cause)
  })
}

/** Asks the service for something. Throws a `ServiceError` in the service's own words where it says no. */
export async function askService<T>(path: string, question?: Question): Promise<T> {
  const { status, isOk, said } = await exchange(path, question)
  if (!isOk) throw new ServiceError(status, errorMessageIn(said) ?? `the service answered ${status}`)
  return said as T
}

/** The one line of an error that the service sent, when it did. */
export function errorMessageIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  const { error } = value
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return typeof error.message === 'string' ? error.message : undefined
}
