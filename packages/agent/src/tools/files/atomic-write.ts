import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { access, chmod, chown, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { realPath } from '@countersign/node'
import { onFile, toolFailure } from '../definition/tool-failure.ts'

/**
 * Writes a file atomically: into a new file beside it, which is then renamed, with its mode and owner. `before` is the
 * file as the text was derived from it; null when none may exist.
 */
export async function replaceFile(real: string, text: string, before: Stats | null, shown: string): Promise<void> {
  await onFile(shown, async () => {
    await mkdir(dirname(real), { recursive: true })
    const temporary = await writeBeside(real, text, before)
    try {
      await refuseSurprise(real, before, shown)
      await rename(temporary, real)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  })
}

/** Writes the content into a new file beside it, and returns its path. */
export async function writeBeside(real: string, text: string, before: Stats | null): Promise<string> {
  // Renaming needs only a writable folder, so check the file itself.
  if (before !== null) await access(real, constants.W_OK)
  const temporary = nameBeside(real)
  try {
    await writeNew(temporary, text)
    if (before !== null) await keepModeAndOwner(temporary, before)
    return temporary
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A unique name in the same folder. */
export function nameBeside(real: string): string {
  return join(dirname(real), `.${basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}`)
}

/** The entry at a path, without following a link; null when there is none. */
export async function entryOf(real: string): Promise<Stats | null> {
  return lstat(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}

async function writeNew(path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(path, flags, 0o666)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function keepModeAndOwner(path: string, { mode, uid, gid }: Stats): Promise<void> {
  const made = await lstat(path)
  if (made.uid !== uid || made.gid !== gid) await chown(path, uid, gid)
  // SECURITY: setuid and setgid applied to the old content.
  await chmod(path, mode & 0o777)
}

/** SECURITY: A7 the final check: a new link, or another file than the one that was read, is refused. */
export async function refuseSurprise(real: string, before: Stats | null, shown: string): Promise<void> {
  if (realPath(real, dirname(real)) !== real) throw toolFailure(`\`${shown}\` has become a link; nothing was written`)
  const now = await entryOf(real)
  if (now !== null && !now.isFile()) throw toolFailure(`\`${shown}\` is not a regular file; nothing was written`)
  const same = before === null ? now === null : now !== null && isUnchanged(before, now)
  if (!same) throw toolFailure(`\`${shown}\` has changed since it was read; read it again`)
}

function isUnchanged(before: Stats, now: Stats): boolean {
  return before.dev === now.dev && before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs
}
