import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ClientTraits, UNKNOWN_CLIENT } from '../client-traits.ts'
import type { Asked, CallEnd, Gatekeeper } from '../gatekeeper.ts'
import { idKey } from '../id-key.ts'
import { createLater, type Later } from '../later.ts'
import type { RawId } from '../message.ts'
import type { Reply } from './reply.ts'

/** A gatekeeper for one client, and how to let go of it. */
export interface ClientSeat {
  readonly gatekeeper: Gatekeeper
  close(): Promise<void>
}

/** A request that has no answer yet. */
export interface OpenRequest {
  readonly id: RawId
  readonly method: string
  readonly isStateless: boolean
  readonly gone: AbortController
  readonly reply: Reply
  /** What it is to `fromServer`, once it was sent. */
  asked: Asked | null
  settle: ((end: CallEnd) => Promise<void>) | null
}

/** One client: a session of the older era, or everyone who comes with the same credentials without one. */
export interface HttpClient {
  readonly key: string
  readonly gatekeeper: Gatekeeper
  traits: ClientTraits
  readonly open: Set<OpenRequest>
  /** Calls whose stream broke off in a session: their answers may come on another one. */
  readonly owed: Map<string, OpenRequest>
  /** Outcomes that are told once nobody is kept waiting by it. */
  readonly later: Later
  close(): Promise<void>
}

/** The clients of a listening proxy. */
export interface HttpClients {
  of(request: IncomingMessage): HttpClient | Promise<HttpClient>
  /** A session begins. */
  adopt(session: string, traits: ClientTraits): Promise<void>
  /** Its session is over. */
  forget(client: HttpClient): void
  closeAll(): Promise<void>
}

/** INVARIANT: L10. Past it the one that was quiet for longest is let go of. */
const MOST_CLIENTS = 256

export function createHttpClients(openSeat: () => Promise<ClientSeat>): HttpClients {
  const clients = new Map<string, HttpClient | Promise<HttpClient>>()

  function find(key: string): HttpClient | Promise<HttpClient> {
    const known = clients.get(key)
    if (known !== undefined) {
      clients.delete(key)
      clients.set(key, known)
      return known
    }
    const opening = openSeat().then((seat) => {
      const client = clientOf(key, seat)
      if (clients.get(key) === opening) clients.set(key, client)
      return client
    })
    clients.set(key, opening)
    opening.catch(() => clients.delete(key))
    letGo()
    return opening
  }

  function letGo(): void {
    if (clients.size <= MOST_CLIENTS) return
    for (const [key, client] of clients) {
      if (client instanceof Promise || client.open.size > 0) continue
      clients.delete(key)
      void client.close()
      return
    }
  }

  return {
    of: (request) => find(keyOf(request)),
    async adopt(session, traits) {
      const client = await find(`session ${session}`)
      client.traits = traits
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

/** SECURITY: A9 what one credential was allowed, another does not go on with. */
function keyOf({ headers }: IncomingMessage): string {
  const session = headers['mcp-session-id']
  if (typeof session === 'string' && session !== '') return `session ${session.slice(0, 1024)}`
  const { authorization } = headers
  return authorization === undefined ? 'anyone' : `bearer ${createHash('sha256').update(authorization).digest('hex')}`
}

function clientOf(key: string, seat: ClientSeat): HttpClient {
  const open = new Set<OpenRequest>()
  const owed = new Map<string, OpenRequest>()
  const later = createLater()
  return {
    key,
    gatekeeper: seat.gatekeeper,
    traits: UNKNOWN_CLIENT,
    open,
    owed,
    later,
    async close() {
      const why = 'the session ended before its answer came'
      const left = [...open, ...owed.values()]
      owed.clear()
      for (const request of left) request.gone.abort('gone')
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

/** The call that an answer on another stream belongs to. */
export function takeOwed(client: HttpClient, id: RawId): OpenRequest | null {
  if (client.owed.size === 0) return null
  const found = client.owed.get(idKey(id)) ?? null
  if (found !== null) client.owed.delete(idKey(id))
  return found
}
