import { createConnection } from 'node:net'
import { CountersignError } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { createLineReader } from './line-reader.ts'
import { serviceSockets } from './runtime-files.ts'

/** The status of a running service. */
export interface ServiceStatus {
  readonly version: string
  readonly pid: number
  readonly startedAt: number
  /** Where the inbox is. */
  readonly url: string
  readonly publicUrl: string | null
  /** Where askers connect: the socket's path, and the loopback port when one was asked for. */
  readonly socket: string
  readonly askingPort: number | null
  /** The port for agents in web pages. */
  readonly pagePort: number | null
  /** For metrics without a sign-in. */
  readonly metricsPort: number | null
  readonly askers: number
  readonly workspaces: number
  /** The folders that askers are limited to; null if they are not. */
  readonly listed: readonly string[] | null
  readonly streams: number
  /** Null while the store does not answer. */
  readonly held: number | null
  /** Why the store does not answer, and what to do; null while it does. */
  readonly problem: string | null
}

/** What the owner of a home may ask of its service. */
export type ControlLine =
  | { readonly do: 'status' }
  | { readonly do: 'ticket' }
  | { readonly do: 'stop' }
  /** Ends the sign-ins of one approver's browsers, or of all. */
  | { readonly do: 'sign-out'; readonly approver?: string }

/** What it answers. */
export type ControlAnswer =
  | { readonly status: ServiceStatus }
  /** The one-time link to the inbox, and until when it can be used. */
  | { readonly link: string; readonly expiresAt: number }
  | { readonly stopping: true }
  /** How many sign-ins were ended. */
  | { readonly signedOut: number }
  | { readonly error: { readonly code: string; readonly message: string } }

const PATIENCE_MS = 5_000
const MAX_LINE = 65_536

/**
 * Asks the running service of a home something only its owner may: the socket lies in the home, which nobody else can
 * open. Undefined when no service runs.
 */
export function controlService(home: Home, line: ControlLine): Promise<ControlAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(serviceSockets(home).control)
    const read = createLineReader(MAX_LINE)
    const late = setTimeout(() => fail(), PATIENCE_MS)
    const end = (answer: ControlAnswer | undefined): void => {
      clearTimeout(late)
      socket.destroy()
      resolve(answer)
    }
    const fail = (cause?: unknown): void => {
      clearTimeout(late)
      socket.destroy()
      reject(
        new CountersignError('CS_SERVICE', 'the service does not answer; stop its process and start it again', {
          cause,
        }),
      )
    }
    socket.on('error', (error) => {
      const code = systemCode(error)
      if (code === 'ENOENT' || code === 'ECONNREFUSED') end(undefined)
      else fail(error)
    })
    socket.on('close', () => fail())
    socket.on('data', (chunk) => {
      try {
        const [text] = read(chunk)
        if (text !== undefined) end(JSON.parse(text) as ControlAnswer)
      } catch (error) {
        fail(error)
      }
    })
    socket.write(`${JSON.stringify(line)}\n`)
  })
}
