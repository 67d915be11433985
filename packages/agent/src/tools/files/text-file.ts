import type { Stats } from 'node:fs'
import { constants, readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { sizeWords } from '@countersign/core'
import { toolFailure } from '../definition/tool-failure.ts'

/** A file: its text, or its size when it is binary. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string; readonly stats: Stats }
  | { readonly kind: 'binary'; readonly bytes: number; readonly stats: Stats }

/** The largest file that is read at once. */
export const MAX_BYTES = 16 * 1024 * 1024

/** The largest result of a write, an edit or a patch. INVARIANT: L10, what could not be read again is not written either. */
export function refuseLarge(bytes: number, shown: string): void {
  if (bytes > MAX_BYTES)
    throw toolFailure(
      `\`${shown}\` would have ${sizeWords(bytes)}, more than ${sizeWords(MAX_BYTES)}; nothing was written, write less at once`,
    )
}

/** Reads a text file. Only regular files: a pipe or device could hang. */
export async function readText(real: string, shown: string, most = MAX_BYTES): Promise<FileText> {
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const stats = await file.stat()
    if (stats.isDirectory()) throw toolFailure(`\`${shown}\` is a folder; use list_directory`)
    if (!stats.isFile()) throw toolFailure(`\`${shown}\` is not a regular file`)
    // SECURITY: A7 a command that runs meanwhile can put a link in the place of a folder above.
    if (process.platform === 'linux' && readlinkSync(`/proc/self/fd/${file.fd}`) !== real)
      throw toolFailure(`a folder of \`${shown}\` is now a link; nothing was read`)
    if (stats.size > most)
      throw toolFailure(`\`${shown}\` has ${sizeWords(stats.size)}, more than ${sizeWords(most)} are not read at once`)
    return decoded(await readBytes(file, most), stats)
  } finally {
    await file.close()
  }
}

/** By the bytes read, not by `stat`: files in `/proc` report no size. */
async function readBytes(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024))
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
    if (total > most) throw toolFailure(`it has more than ${sizeWords(most)}, which are not read at once`)
  }
}

function decoded(bytes: Buffer, stats: Stats): FileText {
  if (!bytes.includes(0)) {
    try {
      return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), stats }
    } catch {
      // Invalid UTF-8 counts as binary.
    }
  }
  return { kind: 'binary', bytes: bytes.length, stats }
}
