import { CountersignError, safeText } from '@countersign/core'
import { isLoopback, openUpstream, startListening } from '@countersign/mcp'
import { type Io, say } from '../../terminal/io.ts'
import {
  definitionsOf,
  MAX_LINE_BYTES,
  type ServeOptions,
  SIGNALS,
  serverBearer,
  withServerContext,
} from './server-context.ts'

/** Where to listen. */
export interface ListenPlace {
  readonly host: string
  readonly port: number
  /** Further host names that clients may use. */
  readonly allowedHosts: readonly string[]
}

/** Serves HTTP clients in front of an HTTP server, until a signal stops it. */
export function listenServer(options: ServeOptions, place: ListenPlace, given: Io): Promise<void> {
  const { server } = options
  if (!('url' in server))
    throw new CountersignError('CS_USAGE', '`--listen` needs `--url`: it works with HTTP servers only')
  return withServerContext(options, given, async (context) => {
    const { io, opened } = context
    const listening = await startListening({
      ...place,
      upstream: openUpstream(server.url, server.headers, serverBearer(server.url, context)),
      maxBytes: MAX_LINE_BYTES,
      async openClient() {
        const gate = await opened.newSession()
        const catalogue = context.newCatalogue()
        const gatekeeper = context.gatekeeper(gate, catalogue)
        return {
          gatekeeper,
          definitionOf: definitionsOf(catalogue),
          async close() {
            await gatekeeper.close()
            await gate.close()
          },
        }
      },
    })
    say(io, `countersign: ${safeText(options.label)} listens on ${listening.url}`)
    if (!isLoopback(place.host))
      say(
        io,
        `countersign: it is reachable from the network; put a reverse proxy with TLS and sign-in in front of it${hostAdvice(place)}`,
      )
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    for (const signal of SIGNALS) process.on(signal, stop)
    await stopped
    for (const signal of SIGNALS) process.off(signal, stop)
    await listening.close()
  })
}

function hostAdvice({ allowedHosts }: ListenPlace): string {
  return allowedHosts.length === 0 ? ', and allow that proxy’s host name with `--allow-host`' : ''
}

/** Reads `--listen`: a port, or a host and a port; and `--allow-host`. */
export function listenPlace(text: string, names: readonly string[]): ListenPlace {
  const cut = text.lastIndexOf(':')
  const host = cut === -1 ? '127.0.0.1' : text.slice(0, cut)
  const port = text.slice(cut + 1)
  const invalid = names.find((name) => !NAME.test(name))
  if (invalid !== undefined)
    throw new CountersignError(
      'CS_USAGE',
      `\`--allow-host\` must be a host name such as gate.example; not \`${safeText(invalid)}\``,
    )
  if (HOST.test(host) && /^\d{1,5}$/.test(port) && Number(port) < 65_536)
    return { host, port: Number(port), allowedHosts: names }
  throw new CountersignError('CS_USAGE', `\`--listen\` must be a port or host:port; not \`${safeText(text)}\``)
}

const HOST = /^(?:\[[0-9a-f:]{2,39}\]|[a-z0-9.-]{1,253})$/i
const NAME = /^(?:\[[0-9a-f:]{2,39}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i
