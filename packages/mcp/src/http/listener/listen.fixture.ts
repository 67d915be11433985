import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Catalogue } from '../../pins/catalogue.ts'
import type { HttpWorld } from '../http-world.fixture.ts'
import type { Bearer } from '../upstream/authorized-request.ts'
import { openUpstream } from '../upstream/upstream.ts'
import { startListening } from './listen.ts'

/** A client's response: the status, and every message of the body or the stream so far. */
export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly messages: readonly { readonly [member: string]: unknown }[]
}

export interface Asking {
  readonly done: Promise<Got>
  readonly request: ClientRequest
  /** The text received so far. */
  text(): string
}

export type OpenedProxy = Awaited<ReturnType<typeof openProxy>>

const STATELESS = 'io.modelcontextprotocol/protocolVersion'

/** Options of a proxy, besides its gatekeepers. */
export interface ProxyOptions extends Omit<NonNullable<Parameters<HttpWorld['gatekeeper']>[1]>, 'url' | 'catalogue'> {
  readonly url?: string | null
  /** The server; by default the world's own. */
  readonly server?: string
  /** Our headers. */
  readonly own?: Record<string, string>
  /** The stored sign-in. */
  readonly bearer?: Bearer
  readonly maxBytes?: number
  /** Called with each client's view of the server's tools. */
  newCatalogue?(): Catalogue
}

/** A proxy in front of the world's server, or another, for one test. */
export async function openProxy(world: HttpWorld, options: ProxyOptions = {}) {
  const { server = world.server.url, own = { 'X-Secret': 'ours' }, bearer, newCatalogue, ...judging } = options
  let seats = 0
  const listening = await startListening({
    upstream: openUpstream(server, own, bearer),
    host: '127.0.0.1',
    port: 0,
    maxBytes: options.maxBytes ?? 8 * 1024 * 1024,
    async openClient() {
      seats += 1
      const gate = await world.opened.newSession()
      const catalogue = newCatalogue?.()
      const gatekeeper = world.gatekeeper(gate, { ...judging, ...(catalogue === undefined ? {} : { catalogue }) })
      return {
        gatekeeper,
        definitionOf: (tool) => world.definitionOf(tool, catalogue),
        async close() {
          await gatekeeper.close()
          await gate.close()
        },
      }
    },
  })
  onTestFinished(() => listening.close())
  let ids = 0

  function send(method: string, body: string | null, headers: Record<string, string> = {}): Asking {
    let text = ''
    const { promise: done, resolve, reject } = Promise.withResolvers<Got>()
    const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const request = httpRequest(
      listening.url,
      { method, headers: { ...accept, ...headers }, agent: false },
      (answer) => {
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('error', () => {})
        answer.on('close', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, messages: messagesIn(text) }),
        )
      },
    )
    request.on('error', reject)
    done.catch(() => {})
    request.end(body ?? undefined)
    return { done, request, text: () => text }
  }

  const proxy = {
    url: listening.url,
    /** The number of distinct clients it saw. */
    seats: () => seats,
    close: listening.close,
    send,
    post: (message: object, headers: Record<string, string> = {}) =>
      send('POST', JSON.stringify({ jsonrpc: '2.0', ...message }), headers),
    /** A call with the stateless protocol, with the headers it needs. */
    call(
      name: string,
      args: object,
      more: { headers?: Record<string, string>; params?: object; capabilities?: object } = {},
    ) {
      ids += 1
      const meta = { [STATELESS]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': more.capabilities ?? {} }
      const params = { name, arguments: args, _meta: meta, ...more.params }
      return proxy.post(
        { id: ids, method: 'tools/call', params },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name, ...more.headers },
      )
    },
    /** A session with the older protocol. */
    async session(capabilities: object = {}) {
      const clientInfo = { name: 'tester', version: '1' }
      const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
      const { headers } = await proxy.post({ id: 'init', method: 'initialize', params }).done
      const own = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' }
      return {
        headers: own,
        post: (message: object) => proxy.post(message, own),
        call(name: string, args: object) {
          ids += 1
          return proxy.post({ id: ids, method: 'tools/call', params: { name, arguments: args } }, own)
        },
        get lastId() {
          return ids
        },
      }
    },
  }
  return proxy
}

/** The messages in a body or a stream. */
export function messagesIn(text: string): readonly { readonly [member: string]: unknown }[] {
  if (text.startsWith('{')) return [JSON.parse(text)]
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
}

/** The text of a tool's answer. */
export function wordsOf({ messages }: Got): string {
  const result = messages.at(-1)?.['result'] as { readonly content?: readonly { readonly text: string }[] } | undefined
  return result?.content?.[0]?.text ?? JSON.stringify(messages.at(-1))
}
