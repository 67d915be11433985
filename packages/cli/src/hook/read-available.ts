import { readSync } from 'node:fs'

/** What could be read without waiting. */
export interface Available {
  readonly bytes: Buffer
  /** False if more may come. */
  readonly ended: boolean
}

const PART = 64 * 1024

/**
 * Reads a file at once where that is possible; the rest, if it is written in parts, as it comes. INVARIANT: L10, ends soon after there
 * is more than `most`.
 */
export async function readUpTo(file: number, rest: () => AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const { bytes, ended } = readAvailable(file, most)
  if (ended) return bytes
  const chunks: Uint8Array[] = [bytes]
  let total = bytes.length
  for await (const chunk of rest()) {
    chunks.push(chunk)
    total += chunk.length
    if (total > most) break
  }
  return Buffer.concat(chunks)
}

/** Reads a file until its end, until it has nothing now, or until there is more than `most`. Keeps what was read before that. */
export function readAvailable(file: number, most: number): Available {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const part = Buffer.allocUnsafe(PART)
    const size = readPart(file, part)
    if (size === null) return { bytes: Buffer.concat(chunks), ended: false }
    chunks.push(part.subarray(0, size))
    total += size
    if (size === 0 || total > most) return { bytes: Buffer.concat(chunks), ended: true }
  }
}

/** Null if there is nothing now: some agents give their hooks a pipe that does not block. */
function readPart(file: number, part: Buffer): number | null {
  try {
    return readSync(file, part)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null
    throw error
  }
}
