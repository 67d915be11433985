import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { access, chmod, chown, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { realPath } from '@countersign/node'
import { onFile, toolFailure } from '../definition/tool-failure.ts'

/**
 * Puts a text in a file, whole or not at all: into a new file beside it, which then takes its name, with its mode and
 * owner. `before` is the file as it was when the text was made from it; null when there must be none.
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

/** Writes what a file is to hold into a new one beside it, and gives its path. */
export async function writeBeside(real: string, text: string, before: Stats | null): Promise<string> {
  // A file that may not be written would be, since only its folder has to be.
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

/** A name of its own, in the same folder. */
export function nameBeside(real: string): string {
  return join(dirname(real), `.${basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}`)
}

/** What stands at a path, without following a link there; null when nothing does. */
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
  // SECURITY: what ran with its owner's or group's rights ran with the old text.
  await chmod(path, mode & 0o777)
}

/** SECURITY: A7 the last look: a link that appeared on the way, or another file than the one that was read, is refused. */
export async function refuseSurprise(real: string, before: Stats | null, shown: string): Promise<void> {
  if (realPath(real, dirname(real)) !== real)
    throw toolFailure(`\`${shown}\` became a link meanwhile; nothing was written`)
  const now = await entryOf(real)
  if (now !== null && !now.isFile()) throw toolFailure(`\`${shown}\` is not a regular file; nothing was written`)
  const same = before === null ? now === null : now !== null && isUnchanged(before, now)
  if (!same) throw toolFailure(`\`${shown}\` changed meanwhile; read it again`)
}

function isUnchanged(before: Stats, now: Stats): boolean {
  return before.dev === now.dev && before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs
}
