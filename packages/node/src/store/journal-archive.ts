import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Archive, asCountersignError, CountersignError } from '@countersign/core'
import { openOwnFolder, systemCode } from '../files/private-file.ts'

/** Archives of the journal as files of mode 0600 in one folder. A file is there whole and on disk, or not at all. */
export function openArchive(folder: string): Archive {
  return Object.freeze({
    async write(name: string, chunks: AsyncIterable<string> | Iterable<string>) {
      const path = join(folder, basename(name))
      try {
        openOwnFolder(folder, 'CS_HOME')
        await writeWhole(folder, path, chunks)
      } catch (error) {
        throw asCountersignError(
          error,
          'CS_STORE_WRITE',
          `cannot write \`${path}\` (${systemCode(error) ?? 'error'}); free some space or make its folder writable`,
        )
      }
    },
  })
}

async function writeWhole(
  folder: string,
  path: string,
  chunks: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    try {
      for await (const chunk of chunks) {
        hash.update(chunk)
        await file.writeFile(chunk)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await publish(temporary, path, hash.digest('hex'))
  } finally {
    await unlink(temporary)
  }
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Gives the file its name. A rotation that died half-way left the same content: then it is there already. */
async function publish(temporary: string, path: string, hash: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    const existing = createHash('sha256')
    await pipeline(createReadStream(path), existing)
    if (existing.digest('hex') !== hash)
      throw new CountersignError('CS_STORE_WRITE', `\`${path}\` exists with other content; move it away`)
  }
}
