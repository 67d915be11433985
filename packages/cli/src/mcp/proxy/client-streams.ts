import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { Io } from '../../terminal/io.ts'

/**
 * The stream for messages to the client. Node writes synchronously to a stdout that is a pipe, so a slow client would block the
 * whole process; the pipe is reopened as an asynchronous stream.
 */
export function clientOutput(io: Io): Writable {
  if (io.stdout !== process.stdout || !isPipe(1)) return io.stdout
  return isWatchable(1) ? watchedSocket(1) : pipeOut(1)
}

/** Streams for messages to the person while the proxy runs. */
export interface PersonOutput {
  /** For our own lines, which are dropped when nobody reads them in time. */
  readonly stderr: Writable
  /** For the server's stderr; undefined when it can inherit ours. */
  readonly server: Writable | undefined
  close(): Promise<void>
}

const CHECK_MS = 500
const NO_BYTES = Buffer.alloc(0)
const MAX_UNREAD_BYTES = 64 * 1024
const FLUSH_MS = 100

/**
 * Opens stderr so that writing never blocks, even if nobody reads. A child that inherits the pipe resets it to blocking mode, so
 * ours is a second opening of it; where that is impossible, the child gets a separate pipe.
 */
export function personOutput(io: Io): PersonOutput {
  if (io.stderr !== process.stderr || !isPipe(2))
    return { stderr: io.stderr, server: undefined, close: () => Promise.resolve() }
  const reopened = reopen(2)
  const out = pipeOut(reopened ?? 2)
  out.on('error', () => {})
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      if (out.writableLength < MAX_UNREAD_BYTES) out.write(chunk)
      done()
    },
  })
  return {
    stderr,
    server: reopened === null ? out : undefined,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => out.destroy(), FLUSH_MS)
        out.once('close', () => {
          clearTimeout(timer)
          resolve()
        })
        out.end()
      }),
  }
}

function isPipe(fd: number): boolean {
  const stat = fstatSync(fd)
  return stat.isFIFO() || stat.isSocket()
}

function pipeOut(fd: number): Socket {
  return new Socket({ fd, readable: false, writable: true })
}

/** A second opening of the same pipe, with its own blocking mode; null where the system has none. */
function reopen(fd: number): number | null {
  if (process.platform !== 'linux') return null
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

/**
 * Whether a closed reader can be detected without writing: on a socket, which Node gives to the programs it starts, but not on
 * a plain pipe. When stdin is the same socket, reading here would steal its input; its end is noticed there.
 */
function isWatchable(fd: number): boolean {
  const [stat, stdin] = [fstatSync(fd), fstatSync(0)]
  return stat.isSocket() && !(stat.ino === stdin.ino && stat.dev === stdin.dev)
}

/**
 * Writes to a socket, and fails as soon as its reader is gone, so that a held call is withdrawn at once rather than at the next
 * message.
 */
function watchedSocket(fd: number): Writable {
  const socket = new Socket({ fd, readable: true, writable: true, allowHalfOpen: true })
  socket.once('end', () => {
    // Some clients (Bun) close their unused write side at once; after that only polling notices that the reader is gone.
    const check = (): void => {
      const error = writeError(fd)
      if (error !== null) socket.destroy(error)
    }
    const timer = setInterval(check, CHECK_MS)
    timer.unref()
    socket.once('close', () => clearInterval(timer))
    check()
  })
  // An open read side would keep the process alive.
  socket.once('finish', () => socket.destroy())
  // Any input is discarded.
  return socket.resume()
}

/** An empty write fails when the other end of the socket is gone. */
function writeError(fd: number): Error | null {
  try {
    writeSync(fd, NO_BYTES)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EAGAIN' ? null : (error as Error)
  }
}
