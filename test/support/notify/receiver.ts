import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { CERTIFICATE, trustCertificate } from './certificate.ts'

/** A request that arrived. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What a receiver does with a request: a status, with headers or not; `hang`: nothing, ever; `endless`: a body that never ends. */
export type Answer =
  | 'hang'
  | 'endless'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** A server on loopback that keeps what it gets. */
export interface Receiver {
  readonly url: string
  readonly got: readonly Received[]
  /** Answers from now on; 200 before. */
  answer(next: Answer | ((request: Received) => Answer)): void
  close(): Promise<void>
}

/** Opens a receiver until the test ends. */
export async function openReceiver(scheme: 'http' | 'https' = 'http', port = 0): Promise<Receiver> {
  const got: Received[] = []
  let answer: (request: Received) => Answer = () => ({ status: 200 })

  function reply(said: Answer, response: ServerResponse): void {
    if (said === 'hang') return
    if (said === 'endless') {
      pour(response)
      return
    }
    response.writeHead(said.status, said.headers ?? {})
    response.end(said.body ?? '')
  }

  const server: Server =
    scheme === 'http' ? createServer() : createSecureServer({ cert: CERTIFICATE.cert, key: CERTIFICATE.key })
  if (scheme === 'https') trustCertificate()
  server.on('request', async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) }
    got.push(one)
    reply(answer(one), response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  onTestFinished(close)
  return {
    url: `${scheme}://localhost:${(server.address() as AddressInfo).port}`,
    got,
    answer(next) {
      answer = typeof next === 'function' ? next : () => next
    },
    close,
  }
}

/** Writes until the other side has enough. */
function pour(response: ServerResponse): void {
  const chunk = 'x'.repeat(65_536)
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}
