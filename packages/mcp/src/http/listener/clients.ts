import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Json } from '@countersign/core'
import type { CallEnd, Gatekeeper, SentRequest } from '../../gatekeeper/call/exchange.ts'
import { type ClientInfo, UNKNOWN_CLIENT } from '../../wire/client-info.ts'
import { createDeferredTasks, type DeferredTasks } from '../../wire/deferred-tasks.ts'
import type { RawId } from '../../wire/message.ts'
import { sessionIn } from '../messages/session.ts'
import type { CancelHandle } from '../upstream/upstream.ts'
import type { Reply } from './reply.ts'

/** The gatekeeper of one client and the tools it knows. */
export interface ClientContext {
  readonly gatekeeper: Gatekeeper
  /** A tool’s definition as listed to this client; requested after a call was judged. */
  definitionOf(tool: string): Json | null
  close(): Promise<void>
}

/** A request without a response yet; `leave` cancels it at the server once sent. */
export interface OpenRequest extends CancelHandle {
  readonly id: RawId
  readonly method: string
  readonly isStateless: boolean
  readonly gone: AbortController
  readonly reply: Reply
  /** The original request, to tell clients apart that share a context. */
  readonly request: IncomingMessage
  /** Its record for `fromServer`, once it was sent. */
  asked: SentRequest | null
  settle: ((end: CallEnd) => Promise<void>) | null
  /** Its response came, on any stream. INVARIANT: there is only one. */
  isAnswered: boolean
}

/** One client: a session, or all requests with the same credentials that have none. */
export interface HttpClient {
  readonly key: string
  /** Whether it is a session; otherwise several clients may share it. */
  readonly isSession: boolean
  readonly gatekeeper: Gatekeeper
  definitionOf(tool: string): Json | null
  info: ClientInfo
  readonly open: Set<OpenRequest>
  /** The number of open streams that answer no request. */
  openStreams: number
  /** Calls of a session whose stream broke: the response may come on another. */
  readonly resumable: Map<string, OpenRequest>
  /** Outcomes recorded when nobody has to wait for it. */
  readonly deferred: DeferredTasks
  close(): Promise<void>
}

/** The clients of a listening proxy. */
export interface HttpClients {
  /** Throws a `TooManyClientsError` when there is no room. */
  of(request: IncomingMessage): HttpClient | Promise<HttpClient>
  /** A session starts with this request, and gets its own context. */
  startSession(request: IncomingMessage, session: string, info: ClientInfo): void
  /** Its session ended. */
  forget(client: HttpClient): void
  closeAll(): Promise<void>
}

/** Too many clients have open requests. */
export class TooManyClientsError extends Error {}

/** INVARIANT: L10. Beyond this the least recently used idle client is closed. */
const MAX_CLIENTS = 256

/** `owns`: the headers that the proxy replaces, so they do not identify a client. */
export function createHttpClients(
  openClient: () => Promise<ClientContext>,
  owns: (header: string) => boolean,
): HttpClients {
  const clients = new Map<string, HttpClient | Promise<HttpClient>>()

  function find(key: string, isSession: boolean): HttpClient | Promise<HttpClient> {
    const known = clients.get(key)
    if (known !== undefined) {
      clients.delete(key)
      clients.set(key, known)
      return known
    }
    makeRoom()
    const opening = openClient().then((seat) => {
      const client = clientOf(key, isSession, seat)
      if (clients.get(key) === opening) clients.set(key, client)
      return client
    })
    clients.set(key, opening)
    opening.catch(() => {
      if (clients.get(key) === opening) clients.delete(key)
    })
    return opening
  }

  /** INVARIANT: a client with open requests keeps its context, however many others come. */
  function makeRoom(): void {
    if (clients.size < MAX_CLIENTS) return
    for (const [key, client] of clients) {
      if (client instanceof Promise || isBusy(client)) continue
      clients.delete(key)
      void client.close()
      return
    }
    throw new TooManyClientsError('too many clients are waiting; try again later')
  }

  /**
   * SECURITY: A9 a session needs both the server’s id and the same credentials: an invented or stolen id is not enough.
   */
  function sessionKey({ headers }: IncomingMessage, session: string): string {
    return `session ${session} ${credentialOf(headers, owns)}`
  }

  return {
    of(request) {
      const session = sessionIn(request.headers['mcp-session-id'])
      const key = session === null ? null : sessionKey(request, session)
      if (key !== null && clients.has(key)) return find(key, true)
      return find(`credential ${credentialOf(request.headers, owns)}`, false)
    },
    startSession(request, session, info) {
      const heed = (client: HttpClient): void => {
        client.info = info
      }
      try {
        const client = find(sessionKey(request, session), true)
        if (client instanceof Promise) client.then(heed, () => {})
        else heed(client)
      } catch (error) {
        if (!(error instanceof TooManyClientsError)) throw error // without its own context it shares that of its credentials
      }
    },
    forget(client) {
      clients.delete(client.key)
      void client.close()
    },
    async closeAll() {
      const all = [...clients.values()]
      clients.clear()
      await Promise.allSettled(all.map(async (client) => (await client).close()))
    },
  }
}

function isBusy({ open, resumable, openStreams, gatekeeper, deferred }: HttpClient): boolean {
  return open.size > 0 || openStreams > 0 || resumable.size > 0 || deferred.isBusy || gatekeeper.isAwaited
}

function clientOf(key: string, isSession: boolean, seat: ClientContext): HttpClient {
  const open = new Set<OpenRequest>()
  const resumable = new Map<string, OpenRequest>()
  const deferred = createDeferredTasks()
  return {
    key,
    isSession,
    gatekeeper: seat.gatekeeper,
    definitionOf: seat.definitionOf,
    info: UNKNOWN_CLIENT,
    openStreams: 0,
    open,
    resumable,
    deferred,
    async close() {
      const why = 'the session ended before the response came'
      const left = [...open, ...resumable.values()]
      resumable.clear()
      for (const request of left) abandon(request, 'gone')
      await Promise.allSettled(left.map((request) => settle(request, { kind: 'lost', why })))
      await deferred.doNow()
      await seat.close()
    },
  }
}

/** Records how a call ended, once. */
export async function settle(request: OpenRequest, end: CallEnd): Promise<void> {
  const told = request.settle
  request.settle = null
  await told?.(end)
}

/** Nobody waits for it any more: held calls are withdrawn, running ones abandoned. */
export function abandon(request: OpenRequest, why: 'gone' | 'cancelled'): void {
  request.gone.abort(why)
  request.leave()
}

/** Headers that identify users to servers. */
const CREDENTIALS = [
  'authorization',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-goog-api-key',
  'private-token',
] as const

/**
 * A key for all requests with the same credentials. SECURITY: A9 grants of one credential do not apply to another.
 * Headers that the proxy replaces do not count.
 */
export function credentialOf(headers: IncomingHttpHeaders, owns: (header: string) => boolean): string {
  let said = ''
  for (const name of CREDENTIALS) {
    const value = headers[name]
    if (value !== undefined && !owns(name)) said += `${name}: ${value}\n`
  }
  return said === '' ? 'none' : hash('sha256', said)
}
