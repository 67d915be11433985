import { text as readText } from 'node:stream/consumers'
import type { Io } from '../terminal/io.ts'

/** The address of a store as typed; `-` reads it from stdin. */
export async function addressOf(typed: string, io: Io): Promise<string> {
  return typed === '-' ? (await readText(io.stdin)).trim() : typed
}
