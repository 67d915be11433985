import { homeMark, serviceSockets } from '@countersign/node'
import type { AskingHost } from './asking/connection.ts'
import { listenAskers, listenTokenAskers } from './asking/listeners.ts'
import { socketPlace } from './asking/socket-path.ts'
import { createWorkspaceReader } from './asking/workspace-validation.ts'
import type { Closers, openDeciding } from './open-deciding.ts'
import type { ServiceOptions } from './service-options.ts'

type Deciding = Awaited<ReturnType<typeof openDeciding>>

/** Opens the asking side: the socket and, when asked for, loopback TCP with a token. */
export async function openAsking(options: ServiceOptions, deciding: Deciding, closers: Closers) {
  const { workspaces, turns, attempts, askingToken, main } = deciding
  const { path = serviceSockets(options.home).asking, group } = options.socket ?? {}
  const access = group === undefined ? {} : { group }
  const place = options.socket === undefined ? path : socketPlace(path)
  const workspaceOf = createWorkspaceReader({
    ...access,
    ...(options.workspaces === undefined ? {} : { listed: options.workspaces }),
  })
  const host: AskingHost = {
    version: options.version,
    home: homeMark(options.home.dir),
    async admit({ workspace }) {
      const real = workspaceOf(workspace)
      const gate = await workspaces.newSession(real)
      const ticketKey = (callId: string) => main.ports.crypto.keyedHash(`countersign/ticket/v1\n${real}\n${callId}`)
      return {
        gate,
        newId: main.ports.crypto.randomId,
        ticketKey,
        async deadlineOf(callId) {
          const row = await main.ports.store.call(callId)
          return row?.state === 'held' ? (row.expiresAt ?? undefined) : undefined
        },
      }
    },
    report: (message) => attempts.record('socket', message),
    turn: turns.next,
  }
  const askers = await listenAskers(place, host, access)
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
