import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CountersignError } from '@countersign/core'

/** The result of the browser’s redirect; `iss` names the issuer if known. */
export type RedirectAnswer =
  | { readonly kind: 'code'; readonly code: string; readonly iss: string | undefined }
  | { readonly kind: 'refused'; readonly error: string; readonly iss: string | undefined }

/** The redirect target for the browser, on this machine only. */
export interface Redirect {
  readonly url: string
  /** Identifies our redirect. */
  readonly state: string
  /** The single result; null after the timeout. */
  wait(ms: number): Promise<RedirectAnswer | null>
  close(): Promise<void>
}

const PATH = '/callback'
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  connection: 'close',
}

/**
 * Listens for one redirect on 127.0.0.1. SECURITY: A17 it is identified by its `state`, which nobody else knows: other
 * pages and programs are refused, and neither answer nor end the sign-in.
 */
export async function listenForRedirect(port: number): Promise<Redirect> {
  const state = randomBytes(32).toString('base64url')
  const { promise: finished, resolve: finish } = Promise.withResolvers<RedirectAnswer | null>()
  let isDone = false
  let host = ''

  function take(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '', `http://${host}`)
    const isHere = request.headers.host === host && url?.pathname === PATH && request.method === 'GET'
    const answer = isHere && isSame(url.searchParams.get('state') ?? '', state) ? answerIn(url) : null
    if (!isHere) page(response, 404, 'Not found.')
    else if (answer === null) page(response, 400, 'This sign-in was not started here.')
    else if (isDone) page(response, 410, 'This sign-in was already used.')
    else {
      isDone = true
      response.on('close', () => finish(answer))
      page(response, 200, 'Signed in. Go back to the terminal; you can close this page.')
    }
  }

  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 2_000, connectionsCheckingInterval: 1_000 },
    take,
  )
  server.maxConnections = 16
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CountersignError('CS_USAGE', `cannot listen on port ${port} (${error.code ?? 'unknown'}); use another`),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}${PATH}`,
    state,
    wait(ms) {
      const timer = setTimeout(() => finish(null), ms)
      return finished.finally(() => clearTimeout(timer))
    },
    async close() {
      finish(null)
      server.closeAllConnections()
      await new Promise<unknown>((resolve) => server.close(resolve))
    },
  }
}

/** SECURITY: A17 a repeated parameter is refused: a doubled `iss` must not count as a missing one. */
function answerIn({ searchParams }: URL): RedirectAnswer | null {
  const names = [...searchParams.keys()]
  if (new Set(names).size < names.length) return null
  const [iss, code, error] = ['iss', 'code', 'error'].map((name) => searchParams.get(name) ?? undefined)
  if (error !== undefined) return { kind: 'refused', error: /^[\w.-]{1,64}$/.test(error) ? error : 'unknown', iss }
  return code === undefined ? null : { kind: 'code', code, iss }
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

function page(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, PAGE_HEADERS)
  response.end(`<!doctype html>\n<meta charset="utf-8">\n<title>Countersign</title>\n<p>${words}</p>\n`)
}
