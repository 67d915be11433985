import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type HeldFolder, makeFolders, whileHeld } from '@countersign/node'
import { onFile, toolFailure } from '../definition/tool-failure.ts'

/** A file to change in a folder that can't be swapped meanwhile. */
export interface HeldFile {
  readonly folder: HeldFolder
  readonly name: string
  readonly shown: string
  /** The file as its new text was derived from it; null when none may exist. */
  readonly before: Stats | null
}

/**
 * Writes a file atomically: into a new file beside it, which is then renamed, with its mode and owner. `before` is the
 * file as the text was derived from it; null when none may exist.
 */
export async function replaceFile(real: string, text: string, before: Stats | null, shown: string): Promise<void> {
  await onFile(shown, () =>
    whileHeld(makeFolders(dirname(real)), async (folder) => {
      const file = { folder, name: basename(real), shown, before }
      const temporary = await writeBeside(file, text)
      try {
        await refuseSurprise(file)
        await rename(temporary, pathOf(file))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    }),
  )
}

/** Writes the content into a new file beside it, and returns its path. */
export async function writeBeside(file: HeldFile, text: string): Promise<string> {
  // Renaming needs only a writable folder, so check the file itself.
  if (file.before !== null) await access(pathOf(file), constants.W_OK)
  const temporary = join(file.folder.at, nameBeside(file.name))
  try {
    await writeNew(temporary, text, file.before)
    return temporary
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A unique name in the same folder. */
export function nameBeside(name: string): string {
  return `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}`
}

/** A path through the held folder. */
export function pathOf({ folder, name }: Pick<HeldFile, 'folder' | 'name'>): string {
  return join(folder.at, name)
}

/** The entry at a path, without following a link; null when there is none. */
export async function entryOf(real: string): Promise<Stats | null> {
  return lstat(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}

async function writeNew(path: string, text: string, before: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(path, flags, 0o666)
  try {
    await file.writeFile(text)
    if (before !== null) await keepModeAndOwner(file, before)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** SECURITY: A7 by the open file: another one may have its name by now. */
async function keepModeAndOwner(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const made = await file.stat()
  if (made.uid !== uid || made.gid !== gid) await file.chown(uid, gid)
  // SECURITY: setuid and setgid applied to the old content.
  await file.chmod(mode & 0o777)
}

/** SECURITY: A7 the final check: a new link, or another file than the one that was read, is refused. */
export async function refuseSurprise(file: HeldFile): Promise<void> {
  const { shown, before } = file
  const now = await entryOf(pathOf(file))
  if (now?.isSymbolicLink() === true) throw toolFailure(`\`${shown}\` is now a link; nothing was written`)
  if (now !== null && !now.isFile()) throw toolFailure(`\`${shown}\` is not a regular file; nothing was written`)
  const same = before === null ? now === null : now !== null && isUnchanged(before, now)
  if (!same) throw toolFailure(`\`${shown}\` has changed since it was read; read it again`)
}

function isUnchanged(before: Stats, now: Stats): boolean {
  return before.dev === now.dev && before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs
}
