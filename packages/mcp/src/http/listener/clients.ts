import type { IncomingMessage } from 'node:http'
import type { Json } from '@countersign/core'
import type { CallEnd, Gatekeeper, SentRequest } from '../../gatekeeper/call/exchange.ts'
import { type ClientInfo, UNKNOWN_CLIENT } from '../../wire/client-info.ts'
import { createDeferredTasks, type DeferredTasks } from '../../wire/deferred-tasks.ts'
import type { RawId } from '../../wire/message.ts'
import { sessionIn } from '../messages/session.ts'
import type { LeavingRoom } from '../upstream/upstream.ts'
import { credentialOf } from './client-credential.ts'
import type { Reply } from './reply.ts'

/** A gatekeeper for one client, the tools it was told of, and how to let go of them. */
export interface ClientSeat {
  readonly gatekeeper: Gatekeeper
  /** A tool as its server advertised it to this client; asked for only once a call of it was judged. */
  definitionOf(tool: string): Json | null
  close(): Promise<void>
}

/** A request that has no answer yet; `leave` ends it at the server, once it was sent. */
export interface OpenRequest extends LeavingRoom {
  readonly id: RawId
  readonly method: string
  readonly isStateless: boolean
  readonly gone: AbortController
  readonly reply: Reply
  /** As it came: whose it seems to be, where several clients share a seat. */
  readonly request: IncomingMessage
  /** What it is to `fromServer`, once it was sent. */
  asked: SentRequest | null
  settle: ((end: CallEnd) => Promise<void>) | null
  /** Its answer came, on whichever stream. INVARIANT: there is one. */
  isAnswered: boolean
}

/** One client: a session of the older protocol, or everyone who comes with the same credentials without one. */
export interface HttpClient {
  readonly key: string
  /** Whether it is a session; else several clients may share it. */
  readonly isSession: boolean
  readonly gatekeeper: Gatekeeper
  definitionOf(tool: string): Json | null
  traits: ClientInfo
  readonly open: Set<OpenRequest>
  /** How many streams of it stand that answer nothing. */
  standing: number
  /** Calls whose stream broke off in a session: their answers may come on another one. */
  readonly owed: Map<string, OpenRequest>
  /** Outcomes that are told once nobody is kept waiting by it. */
  readonly later: DeferredTasks
  close(): Promise<void>
}

/** The clients of a listening proxy. */
export interface HttpClients {
  /** Throws a `CrowdedError` when there is no room for one more. */
  of(request: IncomingMessage): HttpClient | Promise<HttpClient>
  /** A session begins, and this request began it: from now on it has a seat of its own. */
  adopt(request: IncomingMessage, session: string, traits: ClientInfo): void
  /** Its session is over. */
  forget(client: HttpClient): void
  closeAll(): Promise<void>
}

/** Too many clients have something open; the next must wait until one is done. */
export class CrowdedError extends Error {}

/** INVARIANT: L10. Past it the one that was quiet for longest is let go of. */
const MAX_CLIENTS = 256

/** `owns` says which headers of a client never reach the server, because ours do: they tell nobody apart. */
export function createHttpClients(openSeat: () => Promise<ClientSeat>, owns: (header: string) => boolean): HttpClients {
  const clients = new Map<string, HttpClient | Promise<HttpClient>>()

  function find(key: string, isSession: boolean): HttpClient | Promise<HttpClient> {
    const known = clients.get(key)
    if (known !== undefined) {
      clients.delete(key)
      clients.set(key, known)
      return known
    }
    makeRoom()
    const opening = openSeat().then((seat) => {
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

  /** INVARIANT: a client that waits for something keeps its seat, however many others come. */
  function makeRoom(): void {
    if (clients.size < MAX_CLIENTS) return
    for (const [key, client] of clients) {
      if (client instanceof Promise || isBusy(client)) continue
      clients.delete(key)
      void client.close()
      return
    }
    throw new CrowdedError('too many clients are waiting; try again when one of them is done')
  }

  /** SECURITY: A9 a session is the server's word and one credential's: what a client makes up, or found, is neither. */
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
    adopt(request, session, traits) {
      const heed = (client: HttpClient): void => {
        client.traits = traits
      }
      try {
        const client = find(sessionKey(request, session), true)
        if (client instanceof Promise) client.then(heed, () => {})
        else heed(client)
      } catch (error) {
        if (!(error instanceof CrowdedError)) throw error // without a seat of its own it shares its credential's
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

function isBusy({ open, owed, standing, gatekeeper, later }: HttpClient): boolean {
  return open.size > 0 || standing > 0 || owed.size > 0 || later.isBusy || gatekeeper.isAwaited
}

function clientOf(key: string, isSession: boolean, seat: ClientSeat): HttpClient {
  const open = new Set<OpenRequest>()
  const owed = new Map<string, OpenRequest>()
  const later = createDeferredTasks()
  return {
    key,
    isSession,
    gatekeeper: seat.gatekeeper,
    definitionOf: seat.definitionOf,
    traits: UNKNOWN_CLIENT,
    standing: 0,
    open,
    owed,
    later,
    async close() {
      const why = 'the session ended before its answer came'
      const left = [...open, ...owed.values()]
      owed.clear()
      for (const request of left) abandon(request, 'gone')
      await Promise.allSettled(left.map((request) => settle(request, { kind: 'lost', why })))
      await later.doNow()
      await seat.close()
    },
  }
}

/** Tells how a call ended, once. */
export async function settle(request: OpenRequest, end: CallEnd): Promise<void> {
  const told = request.settle
  request.settle = null
  await told?.(end)
}

/** Nobody waits for it any more: what is held is withdrawn, what runs is left. */
export function abandon(request: OpenRequest, why: 'gone' | 'cancelled'): void {
  request.gone.abort(why)
  request.leave()
}
