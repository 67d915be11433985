import { CountersignError, ERRORS, type ErrorCode } from '@countersign/core'

/** What is sent first: who asks, and the token. */
export interface PageHello {
  readonly protocol: 1
  readonly version: string
  readonly workspace: string
  readonly label?: string
  readonly token: string
}

/** A line of the service, not yet looked at. */
export type ServiceLine = Readonly<Record<string, unknown>>

/** Lines to and from a service: its lines come in one long response, ours go in requests of their own. */
export interface LineChannel {
  /** Rejects if the line did not arrive. */
  send(line: object): Promise<void>
  close(): void
}

/** INVARIANT: L10, a longer line ends the channel. */
const MOST_CHARACTERS = 4 * 1024 * 1024
/** How long the service may take to let the page in. */
const HELLO_MS = 10_000

/** Opens a channel. `hear` gets every later line, and `lose` why it ended, once. */
export async function openChannel(
  url: string,
  hello: PageHello,
  { hear, lose }: { readonly hear: (line: ServiceLine) => void; readonly lose: (error: CountersignError) => void },
): Promise<LineChannel & { readonly session: string }> {
  const leaving = new AbortController()
  // SECURITY: A17 no cookie of that host goes along, and no redirect leads the token elsewhere.
  const usual = { method: 'POST', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' } as const
  const type = { 'content-type': 'application/json' }

  async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const init = { ...usual, headers: { ...type, ...headers }, body: JSON.stringify(body), signal: leaving.signal }
    const response = await fetch(new URL(path, url), init).catch((cause: unknown) => {
      throw new CountersignError('CS_SERVICE', 'the service cannot be reached; see `countersign status`', { cause })
    })
    if (!response.ok) throw errorOf(await response.json().catch(() => null))
    return response
  }

  const late = setTimeout(() => leaving.abort(), HELLO_MS)
  const lines = linesOf(await post('/v1/channel', { hello }))
  const next = async (): Promise<ServiceLine> => {
    const { value, done } = await lines.next()
    if (done === true) throw gone()
    return value
  }
  const { channel } = await next()
  const { hello: answered, error } = await next()
  clearTimeout(late)
  if (typeof channel !== 'string' || error !== undefined || typeof answered !== 'object' || answered === null) {
    leaving.abort()
    throw errorOf({ error })
  }
  void read().catch((failure: unknown) => {
    leaving.abort() // the service is to know that nobody listens any more
    lose(failure instanceof CountersignError ? failure : gone())
  })

  async function read(): Promise<never> {
    for (;;) hear(await next())
  }

  return {
    session: String((answered as ServiceLine)['session'] ?? ''),
    send: async (line) => void (await post('/v1/lines', line, { 'countersign-channel': channel })),
    close: () => leaving.abort(),
  }
}

async function* linesOf(response: Response): AsyncGenerator<ServiceLine, undefined> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return undefined
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MOST_CHARACTERS) throw gone()
    for (const line of lines) yield JSON.parse(line) as ServiceLine
  }
}

/** The service's own words, or that there were none. */
export function errorOf(body: unknown): CountersignError {
  const { error } = (body ?? {}) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } }
  if (typeof error?.code !== 'string' || typeof error.message !== 'string')
    return new CountersignError('CS_SERVICE', 'the service sent an invalid response; update both sides')
  const code = (error.code in ERRORS ? error.code : 'CS_SERVICE') as ErrorCode
  return new CountersignError(code, error.message)
}

export function gone(): CountersignError {
  return new CountersignError('CS_SERVICE_GONE', 'the service is gone; nothing was allowed')
}
