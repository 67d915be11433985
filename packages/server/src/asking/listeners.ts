import { CountersignError } from '@countersign/core'
import type { AskerHello } from '@countersign/node'
import { isSame } from '../wire/constant-time-equal.ts'
import { type Listener, listenLoopback, listenSocket, type SocketAccess } from '../wire/socket-listener.ts'
import { type AskingHost, serveAsker } from './connection.ts'

/** Askers over a Unix socket: who may open the file may ask. */
export function listenAskers(path: string, host: AskingHost, access: SocketAccess): Promise<Listener> {
  return listenSocket(path, (socket) => serveAsker(socket, host), access)
}

/** Askers over loopback TCP: who knows the token may ask. SECURITY: A17 nobody is served before it was shown. */
export function listenTokenAskers(port: number, token: string, host: AskingHost): Promise<Listener> {
  const guarded: AskingHost = {
    ...host,
    async admit(hello: AskerHello) {
      if (isSame(hello.token ?? '', token)) return host.admit(hello)
      throw new CountersignError('CS_SIGN_IN', 'the asking token is missing or wrong; see `countersign status`')
    },
  }
  return listenLoopback(port, (socket) => serveAsker(socket, guarded))
}
