import { openWorkspace, serviceSockets } from '@countersign/node'
import type { AskingHost } from './asking/connection.ts'
import { listenAskers, listenTokenAskers } from './asking/listen-asking.ts'
import type { Closers, openDeciding } from './open-deciding.ts'
import type { ServiceOptions } from './service-options.ts'

type Deciding = Awaited<ReturnType<typeof openDeciding>>

/** Opens the asking side: the socket and, when asked for, loopback TCP with a token. */
export async function openAsking(options: ServiceOptions, deciding: Deciding, closers: Closers) {
  const { workspaces, attempts, askingToken, main } = deciding
  const host: AskingHost = {
    version: options.version,
    async admit({ workspace }) {
      const real = openWorkspace(workspace)
      const gate = await workspaces.newSession(real)
      const ticketKey = (callId: string) => main.ports.crypto.keyedHash(`countersign/ticket/v1\n${real}\n${callId}`)
      return { gate, ticketKey }
    },
    report: (message) => attempts.record('socket', message),
  }
  const { path = serviceSockets(options.home).asking, group } = options.socket ?? {}
  const askers = await listenAskers(path, host, group === undefined ? {} : { group })
  closers.push(() => askers.close())
  const tcp =
    askingToken === undefined ? undefined : await listenTokenAskers(options.askingPort ?? 0, askingToken, host)
  if (tcp !== undefined) closers.push(() => tcp.close())
  const address = tcp?.server.address()
  return {
    socket: path,
    port: typeof address === 'object' && address !== null ? address.port : null,
    connections: () => askers.connections() + (tcp?.connections() ?? 0),
  }
}
