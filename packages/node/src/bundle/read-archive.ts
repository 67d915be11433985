import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type BundleReader, CountersignError, isBundleName, safeText } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'
import { BLOCK, paddingOf, tarHeader } from './tar-header.ts'

/** INVARIANT: L10 the fixed files and 10,000 policy versions. */
const MOST_FILES = 10_100
const CHUNK = 262_144

interface Member {
  readonly at: number
  readonly bytes: number
}

/**
 * Opens a bundle, reads its table of contents, and closes it after `work`. Nothing is unpacked. SECURITY: A27 only plain
 * files with known names, once each, byte for byte as they are written here: no link, no path, no second reading of a header.
 */
export async function withArchive<T>(path: string, work: (reader: BundleReader) => Promise<T>): Promise<T> {
  const file = await opened(path)
  try {
    const members = await contentsOf(file)
    return await work({
      names: [...members.keys()],
      read: (name) => bytesOf(file, members.get(name) ?? { at: 0, bytes: 0 }),
    })
  } finally {
    await file.close()
  }
}

async function opened(path: string): Promise<FileHandle> {
  const unreadable = (what: string) =>
    new CountersignError('CS_USAGE', `\`${safeText(path)}\` cannot be read (${what}); check the path`)
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw unreadable(systemCode(error) ?? 'unknown error')
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw unreadable('it is not a file')
}

async function contentsOf(file: FileHandle): Promise<ReadonlyMap<string, Member>> {
  const { size } = await file.stat()
  const members = new Map<string, Member>()
  let at = 0
  for (;;) {
    const header = await blockAt(file, at, size)
    if (header.every((byte) => byte === 0)) break
    const { name, bytes } = readHeader(header, at)
    if (members.has(name)) throw damaged(`the archive has \`${safeText(name)}\` twice`)
    if (members.size >= MOST_FILES) throw damaged('the archive has too many files')
    if (at + BLOCK + bytes > size) throw damaged(`the archive is cut off within \`${safeText(name)}\``)
    members.set(name, { at: at + BLOCK, bytes })
    at += BLOCK + bytes
    const padding = await read(file, at, paddingOf(bytes))
    if (padding.length < paddingOf(bytes)) throw damaged('the archive is cut off')
    if (!padding.every((byte) => byte === 0)) throw damaged(`the archive has hidden bytes after \`${safeText(name)}\``)
    at += padding.length
  }
  const end = await blockAt(file, at + BLOCK, size)
  if (!end.every((byte) => byte === 0) || at + 2 * BLOCK !== size) throw damaged('the archive has bytes after its end')
  return members
}

function readHeader(header: Buffer, at: number): { readonly name: string; readonly bytes: number } {
  if (at === 0 && header.readUInt16BE(0) === 0x1f8b)
    throw damaged('the archive is compressed; unpack it with `gunzip` first')
  if (at === 0 && header.toString('latin1', 257, 262) !== 'ustar') throw damaged('this is not a bundle')
  const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '')
  if (!isBundleName(name)) throw damaged(`a bundle has no file \`${safeText(name)}\``)
  const type = header[156]
  if (type !== 0x30) throw damaged(`\`${safeText(name)}\` is a link or a folder, not a file`)
  const digits = header.toString('latin1', 124, 135)
  const bytes = /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : -1
  if (bytes < 0 || !tarHeader(name, bytes).equals(header))
    throw damaged(`the header of \`${safeText(name)}\` was changed after the export`)
  return { name, bytes }
}

async function blockAt(file: FileHandle, at: number, size: number): Promise<Buffer> {
  const block = await read(file, at, BLOCK)
  if (block.length < BLOCK || at + BLOCK > size) throw damaged('the archive is cut off')
  return block
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let count = 0
  while (count < length) {
    const { bytesRead } = await file.read(bytes, count, length - count, at + count)
    if (bytesRead === 0) break
    count += bytesRead
  }
  return bytes.subarray(0, count)
}

async function* bytesOf(file: FileHandle, { at, bytes }: Member): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < bytes; ) {
    const chunk = await read(file, at + done, Math.min(CHUNK, bytes - done))
    if (chunk.length === 0) throw damaged('the archive is cut off')
    done += chunk.length
    yield chunk
  }
}

function damaged(why: string): CountersignError {
  return new CountersignError('CS_JOURNAL_DAMAGED', why)
}
