import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BundleFile, type BundlePart, type BundleSink, CountersignError, safeText } from '@countersign/core'
import { syncFolder, systemCode } from '../files/private-file.ts'
import { BLOCK, MOST_BYTES, paddingOf, tarHeader } from './tar-header.ts'

const BUFFERED = 262_144

/**
 * Writes an archive with the files that `work` opens, in the order in which they are closed. It gets its name only after
 * `check` has read it, so a named archive is complete and verified. An existing file is never replaced.
 */
export async function writeArchive<T>(
  path: string,
  work: (sink: BundleSink) => Promise<T>,
  check: (written: string) => Promise<void>,
): Promise<T> {
  const unnamed = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}`)
  const parts = `${unnamed}.parts`
  const part = `${unnamed}.part`
  try {
    await mkdir(parts, { mode: 0o700 })
    const closed: { readonly name: string; readonly path: string; readonly bytes: number }[] = []
    let count = 0
    const result = await work({
      async open(name) {
        count += 1
        const at = join(parts, String(count))
        return openPart(at, (bytes) => closed.push({ name, path: at, bytes }))
      },
    })
    await joinParts(part, closed)
    await check(part)
    await link(part, path)
    syncFolder(dirname(path))
    return result
  } catch (error) {
    throw error instanceof CountersignError ? error : unwritable(path, error)
  } finally {
    await rm(parts, { recursive: true, force: true })
    await rm(part, { force: true })
  }
}

async function openPart(path: string, onClose: (bytes: number) => void): Promise<BundlePart> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  let waiting: string[] = []
  let length = 0
  async function flush(): Promise<void> {
    const chunk = Buffer.from(waiting.join(''), 'utf8')
    waiting = []
    length = 0
    hash.update(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES)
      throw new CountersignError('CS_USAGE', 'the range is too large for one bundle (8 GiB); export a shorter one')
    await file.writeFile(chunk)
  }
  return {
    async write(text) {
      waiting.push(text)
      length += text.length
      if (length >= BUFFERED) await flush()
    },
    async close(): Promise<BundleFile> {
      await flush().finally(() => file.close())
      onClose(bytes)
      return { bytes, sha256: hash.digest('hex') }
    },
  }
}

async function joinParts(
  path: string,
  files: readonly { readonly name: string; readonly path: string; readonly bytes: number }[],
): Promise<void> {
  const archive = await open(path, 'wx', 0o600)
  try {
    for (const { name, path: from, bytes } of files) {
      await archive.writeFile(tarHeader(name, bytes))
      await append(archive, from)
      await archive.writeFile(Buffer.alloc(paddingOf(bytes)))
    }
    await archive.writeFile(Buffer.alloc(2 * BLOCK))
    await archive.sync()
  } finally {
    await archive.close()
  }
}

async function append(archive: FileHandle, from: string): Promise<void> {
  for await (const chunk of createReadStream(from)) await archive.writeFile(chunk as Buffer)
}

function unwritable(path: string, error: unknown): CountersignError {
  const code = systemCode(error) ?? 'unknown error'
  const what = code === 'EEXIST' ? 'already exists; choose another name' : `cannot be written (${code}); name another`
  return new CountersignError('CS_USAGE', `\`${safeText(path)}\` ${what}`, { cause: error })
}
