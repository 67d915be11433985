import { open } from 'node:fs/promises'
import { CountersignError, safeText } from '@countersign/core'

/** Writes a file that must not exist yet, readable by this account alone and on disk before this returns. */
export async function writeNewFile(path: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of chunks) await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const what = code === 'EEXIST' ? 'is already there; name another' : `cannot be written (${code}); name another`
    throw new CountersignError('CS_USAGE', `\`${safeText(path)}\` ${what}`, { cause: error })
  }
}
