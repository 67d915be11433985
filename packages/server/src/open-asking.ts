import { CountersignError, resumableSessionId } from '@countersign/core'
import { type AskerHello, homeMark, serviceSockets } from '@countersign/node'
import { type AskingHost, serveAsker } from './asking/connection.ts'
import { listenPageAskers } from './asking/page-listener.ts'
import { readPageOrigins } from './asking/page-origins.ts'
import { socketPlace } from './asking/socket-path.ts'
import { createWorkspaceReader } from './asking/workspace-validation.ts'
import type { Closers, openDeciding } from './open-deciding.ts'
import type { ServiceOptions } from './service-options.ts'
import { isSame } from './wire/constant-time-equal.ts'
import { type Listener, listenLoopback, listenSocket, type SocketAccess } from './wire/socket-listener.ts'

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
    program: options.program ?? process.argv.slice(0, 2),
    async admit({ workspace, resume }) {
      const real = workspaceOf(workspace)
      const resumable =
        resume === undefined
          ? undefined
          : await workspaces.resumeSession(real, resumableSessionId(resume, real, main.ports.crypto))
      const gate = resumable ?? (await workspaces.newSession(real))
      const ticketKey = (callId: string) => main.ports.crypto.keyedHash(`countersign/ticket/v1\n${real}\n${callId}`)
      return {
        gate,
        ...(resumable === undefined ? {} : { resumable }),
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
    drop: turns.drop,
  }
  const { askingPort, pages } = options
  const origins = pages === undefined ? undefined : readPageOrigins(pages.origins, deciding.origins)
  const askers = await listenAskers(place, host, access)
  closers.push(() => askers.close())
  const guarded = askingToken === undefined ? undefined : withToken(host, askingToken)
  const tcp =
    guarded === undefined || askingPort === undefined
      ? undefined
      : await listenLoopback(askingPort, (socket) => serveAsker(socket, guarded))
  if (tcp !== undefined) closers.push(() => tcp.close())
  const paged =
    guarded === undefined || pages === undefined || origins === undefined
      ? undefined
      : await listenPageAskers(pages.port, origins, pagesHost(guarded, attempts), main.ports.crypto.randomId)
  if (paged !== undefined) closers.push(() => paged.close())
  const address = tcp?.server.address()
  return {
    socket: path,
    port: typeof address === 'object' && address !== null ? address.port : null,
    pagePort: paged?.port ?? null,
    connections: () => askers.connections() + (tcp?.connections() ?? 0) + (paged?.connections() ?? 0),
  }
}

/** Clients over a Unix socket: file permissions decide who may connect. */
function listenAskers(path: string, host: AskingHost, access: SocketAccess): Promise<Listener> {
  return listenSocket(path, (socket) => serveAsker(socket, host), access)
}

/** Lets in only who has the token. SECURITY: A17 nobody is served before it was checked. */
function withToken(host: AskingHost, token: () => string): AskingHost {
  return {
    ...host,
    async admit(hello: AskerHello) {
      if (isSame(hello.token ?? '', token())) return host.admit(hello)
      throw new CountersignError('CS_SIGN_IN', 'the asking token is missing or wrong; see `countersign status`')
    },
  }
}

/** Refused attempts of pages are recorded as such. */
function pagesHost(host: AskingHost, attempts: Deciding['attempts']): AskingHost {
  return { ...host, report: (message) => attempts.record('page', message) }
}
