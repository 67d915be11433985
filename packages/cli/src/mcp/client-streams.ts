import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { Io } from '../io.ts'

/**
 * Where messages for the client go. Node writes to its own stdout with the process standing still when that is a pipe;
 * a client that reads slowly would stop everything, so the pipe is opened anew.
 */
export function clientOutput(io: Io): Writable {
  if (io.stdout !== process.stdout) return io.stdout
  const stat = fstatSync(1)
  if (!stat.isFIFO() && !stat.isSocket()) return io.stdout
  return new Socket({ fd: 1, readable: false, writable: true })
}
