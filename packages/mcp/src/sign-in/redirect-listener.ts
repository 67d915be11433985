import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CountersignError } from '@countersign/core'

/** What the browser brought back; `iss` says who sent it, where that is said. */
export type RedirectAnswer =
  | { readonly kind: 'code'; readonly code: string; readonly iss: string | undefined }
  | { readonly kind: 'refused'; readonly error: string; readonly iss: string | undefined }

/** Where a browser comes back to after a sign-in, on this machine only. */
export interface Redirect {
  readonly url: string
  /** Only an answer that brings this is ours. */
  readonly state: string
  /** The one answer; null when the time is over. */
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
 * Listens for one answer on 127.0.0.1. SECURITY: A17 it is known by its `state`, which nobody else has seen: any other page
 * or program that asks here is told so, and neither answers nor ends the sign-in.
 */
export async function listenForRedirect(port: number): Promise<Redirect> {
  const state = randomBytes(32).toString('base64url')
  const { promise: heard, resolve: hear } = Promise.withResolvers<RedirectAnswer | null>()
  let isDone = false
  let host = ''

  function take(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '', `http://${host}`)
    const isHere = request.headers.host === host && url?.pathname === PATH && request.method === 'GET'
    const answer = isHere && isSame(url.searchParams.get('state') ?? '', state) ? answerIn(url) : null
    if (!isHere) page(response, 404, 'There is nothing here.')
    else if (answer === null) page(response, 400, 'This is not the sign-in that was begun here.')
    else if (isDone) page(response, 410, 'This sign-in was used already.')
    else {
      isDone = true
      response.on('close', () => hear(answer))
      page(response, 200, 'Countersign has heard. Go back to the terminal; this page can be closed.')
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
        new CountersignError('CS_USAGE', `cannot listen on port ${port} (${error.code ?? 'unknown'}); name another`),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}${PATH}`,
    state,
    wait(ms) {
      const timer = setTimeout(() => hear(null), ms)
      return heard.finally(() => clearTimeout(timer))
    },
    async close() {
      hear(null)
      server.closeAllConnections()
      await new Promise<unknown>((resolve) => server.close(resolve))
    },
  }
}

/** SECURITY: A17 one with a parameter twice is none: an `iss` that stands twice must not count as one that is not there. */
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
