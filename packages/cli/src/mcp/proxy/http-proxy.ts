import { CountersignError, safeText } from '@countersign/core'
import { isLoopback, openUpstream, startListening } from '@countersign/mcp'
import { type Io, say } from '../../terminal/io.ts'
import { serverBearer } from './bearer-token.ts'
import { definitionsOf, MOST_LINE_BYTES, type ServeOptions, SIGNALS, withBacking } from './stdio-proxy.ts'

/** Where to listen. */
export interface ListenPlace {
  readonly host: string
  readonly port: number
  /** Names by which clients may call it, besides its own. */
  readonly allowedHosts: readonly string[]
}

/** Listens for clients over HTTP in front of a server over HTTP, until it is stopped. */
export function listenServer(options: ServeOptions, place: ListenPlace, given: Io): Promise<void> {
  const { server } = options
  if (!('url' in server))
    throw new CountersignError('CS_USAGE', '`--listen` needs `--url`: it stands before a server over HTTP')
  return withBacking(options, given, async (backing) => {
    const { io, opened } = backing
    const listening = await startListening({
      ...place,
      upstream: openUpstream(server.url, server.headers, serverBearer(server.url, backing)),
      mostBytes: MOST_LINE_BYTES,
      async openSeat() {
        const gate = await opened.newSession()
        const catalogue = backing.newCatalogue()
        const gatekeeper = backing.gatekeeper(gate, catalogue)
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
    say(io, `countersign: ${safeText(options.label)} is at ${listening.url}`)
    if (!isLoopback(place.host))
      say(io, `countersign: others on the network can reach it; put TLS and a sign-in before it${unnamed(place)}`)
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    for (const signal of SIGNALS) process.on(signal, stop)
    await stopped
    for (const signal of SIGNALS) process.off(signal, stop)
    await listening.close()
  })
}

/** Whoever puts something before it needs a name. */
function unnamed({ allowedHosts }: ListenPlace): string {
  return allowedHosts.length === 0 ? ', and allow its name with `--allow-host`' : ''
}

/** Reads `--listen`: a port, or a host and a port; and `--allow-host`. */
export function listenPlace(text: string, names: readonly string[]): ListenPlace {
  const cut = text.lastIndexOf(':')
  const host = cut === -1 ? '127.0.0.1' : text.slice(0, cut)
  const port = text.slice(cut + 1)
  const odd = names.find((name) => !NAME.test(name))
  if (odd !== undefined)
    throw new CountersignError(
      'CS_USAGE',
      `\`--allow-host\` takes a name as clients write it, such as gate.example; \`${safeText(odd)}\` is none`,
    )
  if (HOST.test(host) && /^\d{1,5}$/.test(port) && Number(port) < 65_536)
    return { host, port: Number(port), allowedHosts: names }
  throw new CountersignError(
    'CS_USAGE',
    `\`--listen\` takes a port, or a host and a port; \`${safeText(text)}\` is neither`,
  )
}

const HOST = /^(?:\[[0-9a-f:]{2,39}\]|[a-z0-9.-]{1,253})$/i
const NAME = /^(?:\[[0-9a-f:]{2,39}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i
