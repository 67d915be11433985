import { CountersignError, safeText } from '@countersign/core'
import { isLoopback, openUpstream, startListening } from '@countersign/mcp'
import { type Io, say } from '../io.ts'
import { definitionsOf, MOST_LINE_BYTES, type ServeOptions, SIGNALS, withBacking } from './relay-server.ts'

/** Where to listen. */
export interface ListenPlace {
  readonly host: string
  readonly port: number
}

/** Listens for clients over HTTP in front of a server over HTTP, until it is stopped. */
export function listenServer(options: ServeOptions, place: ListenPlace, io: Io): Promise<void> {
  const { server } = options
  if (!('url' in server))
    throw new CountersignError('CS_USAGE', '`--listen` needs `--url`: it stands before a server over HTTP')
  return withBacking(options, io, async ({ opened, catalogue, gatekeeper: gatekeeperOf }) => {
    const listening = await startListening({
      ...place,
      upstream: openUpstream(server.url, server.headers),
      mostBytes: MOST_LINE_BYTES,
      definitionOf: definitionsOf(catalogue),
      async openSeat() {
        const gate = await opened.newSession()
        const gatekeeper = gatekeeperOf(gate)
        return {
          gatekeeper,
          async close() {
            await gatekeeper.close()
            await gate.close()
          },
        }
      },
    })
    say(io, `countersign: ${safeText(options.label)} is at ${listening.url}`)
    if (!isLoopback(place.host))
      say(io, 'countersign: others on the network can reach it; put TLS and a sign-in before it')
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    for (const signal of SIGNALS) process.on(signal, stop)
    await stopped
    for (const signal of SIGNALS) process.off(signal, stop)
    await listening.close()
  })
}

/** Reads `--listen`: a port, or a host and a port. */
export function listenPlace(text: string): ListenPlace {
  const cut = text.lastIndexOf(':')
  const host = cut === -1 ? '127.0.0.1' : text.slice(0, cut)
  const port = text.slice(cut + 1)
  const isHost = /^(?:\[[0-9a-f:]{2,39}\]|[A-Za-z0-9.-]{1,253})$/i.test(host)
  if (isHost && /^\d{1,5}$/.test(port) && Number(port) < 65_536) return { host, port: Number(port) }
  throw new CountersignError(
    'CS_USAGE',
    `\`--listen\` takes a port, or a host and a port; \`${safeText(text)}\` is neither`,
  )
}
