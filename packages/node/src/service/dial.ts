import { realpathSync, statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { CountersignError, ERRORS, type ErrorCode } from '@countersign/core'
import { accountId } from '../system/os-account.ts'
import { createLineReader } from './line-reader.ts'
import { MAX_LINE_BYTES, PROTOCOL, type ServiceHello, type ServiceLine } from './wire-protocol.ts'

/** Where the asking side of a service is. */
export type ServiceAddress =
  /** `owner`: the user that the gate runs as, where that is neither this one nor root. */
  | { readonly socket: string; readonly owner?: number }
  | { readonly host: string; readonly port: number; readonly token: string }

/** How to introduce oneself to a service. */
export interface ConnectOptions {
  /** One service, or several on the same store that stand in for each other, the preferred one first. */
  readonly address: ServiceAddress | readonly ServiceAddress[]
  /** The address leads to several services, or to one that is restarted: go on where it leads next. Implied by a list. */
  readonly comesBack?: boolean
  readonly workspace: string
  readonly label?: string
  /** How long the service may take to answer the hello. Default 5 seconds. */
  readonly timeoutMs?: number
  readonly version: string
}

/** How to open one connection. */
export interface DialOptions extends Omit<ConnectOptions, 'address' | 'comesBack'> {
  readonly address: ServiceAddress
  /** The asker's own secret, with which it takes up its session elsewhere. */
  readonly resume?: string
}

/** No service answered at an address. Another one may. */
export class Unreachable extends CountersignError {}

/** An open connection. `hear` gets what comes, and must not keep it: the next bytes come to the same place. */
export interface Dialled {
  readonly socket: Socket
  hear: (chunk: Buffer) => void
}

/** How long a service may take to answer the hello. */
export const HELLO_MS = 5_000
const ROOT = 0
const READ_BYTES = 65_536

/**
 * Opens the connection. Throws CS_SERVICE when nobody is there, or somebody else than the gate's owner. SECURITY: A3, a
 * permit is worth what its giver is: the socket's owner is asked before and after, so that a swap in between is noticed.
 */
export async function dialService(options: DialOptions): Promise<Dialled> {
  const { address } = options
  if (!('socket' in address)) return dial(options)
  const before = ownSocket(address)
  const dialled = await dial(options)
  try {
    const after = ownSocket(address)
    if (after.ino !== before.ino || after.dev !== before.dev) throw nobodyThere()
    return dialled
  } catch (error) {
    dialled.socket.destroy()
    throw error
  }
}

function ownSocket({ socket, owner }: { readonly socket: string; readonly owner?: number }) {
  const found = statSync(socket, { throwIfNoEntry: false })
  if (found === undefined) throw nobodyThere()
  if (found.uid === ROOT || found.uid === accountId() || found.uid === owner) return found
  throw new CountersignError(
    'CS_SERVICE',
    `\`${socket}\` belongs to user ${found.uid}, not to the expected owner; if that user runs the gate, pass it as \`owner\``,
  )
}

function dial({ address, timeoutMs = HELLO_MS }: DialOptions): Promise<Dialled> {
  // Read into one buffer, without a stream: a new buffer and a queue per answer would cost as much as the read.
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const callback = (size: number): boolean => {
    dialled.hear(buffer.subarray(0, size))
    return true
  }
  const place = 'socket' in address ? { path: address.socket } : { port: address.port, host: address.host }
  const socket = createConnection({ ...place, onread: { buffer, callback } })
  const dialled: Dialled = { socket, hear: () => {} }
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) => {
      clearTimeout(late)
      socket.destroy()
      reject(nobodyThere(cause))
    }
    const late = setTimeout(fail, timeoutMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(late)
      socket.off('error', fail)
      socket.on('error', () => {}) // whoever waits hears of the close that follows
      resolve(dialled)
    })
  })
}

/** The first line of each side, before anything else is heard. */
export function greetService(
  dialled: Dialled,
  { address, workspace, label, version, resume, timeoutMs = HELLO_MS }: DialOptions,
) {
  const { socket } = dialled
  const token = 'token' in address ? { token: address.token } : {}
  const hello = {
    protocol: PROTOCOL,
    version,
    workspace: realOrSame(workspace),
    ...(label === undefined ? {} : { label }),
    ...token,
    ...(resume === undefined ? {} : { resume }),
  }
  socket.write(`${JSON.stringify({ hello })}\n`)
  return new Promise<ServiceHello>((resolve, reject) => {
    const read = createLineReader(MAX_LINE_BYTES)
    const timer = setTimeout(
      () => end(new Unreachable('CS_SERVICE', 'the service does not answer; restart it')),
      timeoutMs,
    )
    const leave = () => end(goneError())
    const end = (result: CountersignError | ServiceHello) => {
      clearTimeout(timer)
      socket.pause()
      dialled.hear = () => {}
      socket.off('close', leave)
      socket.off('error', leave)
      if (result instanceof CountersignError) {
        socket.destroy()
        reject(result)
      } else resolve(result)
    }
    const hear = (chunk: Buffer) => {
      try {
        const [text] = read(chunk)
        if (text === undefined) return
        const line = JSON.parse(text) as ServiceLine
        if ('error' in line) end(new CountersignError(asCode(line.error.code), line.error.message))
        else if ('hello' in line && line.hello.protocol === PROTOCOL) end(line.hello)
        else end(new CountersignError('CS_SERVICE', 'the service speaks another version; update both to the same'))
      } catch {
        end(new CountersignError('CS_SERVICE', 'the program on this socket is not Countersign; check the path'))
      }
    }
    dialled.hear = hear
    socket.once('close', leave)
    socket.once('error', leave)
  })
}

/** The path without links, as this user sees it: a service shared by others follows none. */
function realOrSame(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path // then the service reports what is wrong with it
  }
}

function nobodyThere(cause?: unknown): CountersignError {
  return new Unreachable('CS_SERVICE', 'no service answers; start one with `countersign serve`', { cause })
}

/** The error of a service that went away. */
export function goneError(): CountersignError {
  return new Unreachable('CS_SERVICE_GONE', 'the service is gone; nothing was allowed: start it and ask again')
}

/** A code as the service says it; one of another version is ours. */
export function asCode(code: string): ErrorCode {
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'CS_SERVICE'
}
