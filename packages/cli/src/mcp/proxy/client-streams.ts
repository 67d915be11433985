import { constants, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { Io } from '../../terminal/io.ts'
import { isWatchable, watchedOut } from './output-watch.ts'

/**
 * Where messages for the client go. Node writes to its own stdout with the process standing still when that is a pipe;
 * a client that reads slowly would stop everything, so the pipe is opened anew.
 */
export function clientOutput(io: Io): Writable {
  if (io.stdout !== process.stdout || !isPipe(1)) return io.stdout
  return isWatchable(1) ? watchedOut(1) : pipeOut(1)
}

/** Where words for people go while messages are passed. */
export interface PersonOutput {
  /** For lines of ours: those that nobody reads in time are let go of. */
  readonly stderr: Writable
  /** For what the server says on its stderr; undefined where it can have ours. */
  readonly server: Writable | undefined
  /** Nothing more is said. */
  close(): Promise<void>
}

const MOST_UNREAD_BYTES = 64 * 1024
const LAST_WORDS_MS = 100

/**
 * Words for people, without ever standing still for them: nobody may be reading. A pipe that a child has, too, is set
 * back by every program that starts: so ours is another opening of it, or, where it cannot be opened again, the child
 * gets a pipe of its own.
 */
export function personOutput(io: Io): PersonOutput {
  if (io.stderr !== process.stderr || !isPipe(2))
    return { stderr: io.stderr, server: undefined, close: () => Promise.resolve() }
  const again = openAgain(2)
  const out = pipeOut(again ?? 2)
  out.on('error', () => {})
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      if (out.writableLength < MOST_UNREAD_BYTES) out.write(chunk)
      done()
    },
  })
  return {
    stderr,
    server: again === null ? out : undefined,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => out.destroy(), LAST_WORDS_MS)
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

/** Another opening of the same pipe, whose mode is its own; null where there is no such thing. */
function openAgain(fd: number): number | null {
  if (process.platform !== 'linux') return null
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}
