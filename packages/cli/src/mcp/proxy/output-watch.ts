import { fstatSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

const LOOK_MS = 500
const NOTHING = Buffer.alloc(0)

/**
 * Whether it can be seen that nobody reads any more without writing: of a socket, as Node gives the programs it starts,
 * but of no plain pipe. Where stdin is the same socket, reading here would take words from it, and its end is seen there.
 */
export function isWatchable(fd: number): boolean {
  const [stat, stdin] = [fstatSync(fd), fstatSync(0)]
  return stat.isSocket() && !(stat.ino === stdin.ino && stat.dev === stdin.dev)
}

/**
 * Writes to a socket, and ends with an error as soon as its reader is gone: a call that is held for nobody must not wait
 * for the next message to be withdrawn.
 */
export function watchedOut(fd: number): Writable {
  const socket = new Socket({ fd, readable: true, writable: true, allowHalfOpen: true })
  socket.once('end', () => {
    // Some clients close the way that they never use at once (Bun does): then nothing more tells us but looking.
    const look = (): void => {
      const error = brokenBy(fd)
      if (error !== null) socket.destroy(error)
    }
    const timer = setInterval(look, LOOK_MS)
    timer.unref()
    socket.once('close', () => clearInterval(timer))
    look()
  })
  // A way that is still open for reading would keep the process.
  socket.once('finish', () => socket.destroy())
  // Nothing is expected from there, and nothing is taken.
  return socket.resume()
}

/** Writing nothing fails on a socket whose other end is gone. */
function brokenBy(fd: number): Error | null {
  try {
    writeSync(fd, NOTHING)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EAGAIN' ? null : (error as Error)
  }
}
