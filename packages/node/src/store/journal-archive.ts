import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Archive, CountersignError, safeText } from '@countersign/core'
import { openOwnFolder, systemCode } from '../files/private-file.ts'

/**
 * Journal archives in a folder of the home, mode 0600. A file is written under a temporary name, synced, read back and
 * compared before it gets its final name, so that a named archive is always complete.
 */
export function openArchive(folder: string): Archive {
  return Object.freeze({
    async write(name: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> {
      const path = join(folder, basename(name))
      const part = `${path}.${randomBytes(8).toString('hex')}.part`
      try {
        openOwnFolder(folder, 'CS_HOME')
        const written = await writePart(part, chunks)
        if ((await digestOf(part)) !== written) throw new Error('content differs after writing')
        await giveName(part, path, written)
        for (const synced of [folder, dirname(folder)]) {
          const handle = await open(synced, 'r')
          await handle.sync().finally(() => handle.close())
        }
      } catch (error) {
        if (error instanceof CountersignError) throw error
        const why = error instanceof Error ? error.message : 'unknown error'
        const message = `can’t write the archive \`${safeText(path)}\` (${safeText(why)}); no entries were removed`
        throw new CountersignError('CS_STORE_WRITE', message, { cause: error })
      } finally {
        await unlink(part).catch(() => {})
      }
    },
  })
}

async function writePart(path: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      hash.update(chunk, 'utf8')
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** Uses a hard link, not a rename: an existing archive is never overwritten, and one left by a crash is reused. */
async function giveName(part: string, path: string, digest: string): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    if ((await digestOf(path)) === digest) return
    throw new CountersignError(
      'CS_STORE_WRITE',
      `\`${safeText(path)}\` already exists with other content; move it away and rotate again`,
    )
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
