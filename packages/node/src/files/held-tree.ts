import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, readlink, rmdir, symlink, unlink, utimes } from 'node:fs/promises'
import { CountersignError } from '@countersign/core'
import { type HeldFolder, holdInside, inside, whileHeld } from './held-folder.ts'

/** An entry of a held folder; `path` is for messages, and for systems without paths through descriptors. */
export interface HeldEntry {
  readonly folder: HeldFolder
  readonly name: string | Buffer
  readonly path: string
}

/** Every level is an open folder. INVARIANT: L10 */
const MOST_LEVELS = 256
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Removes an entry and everything below it. SECURITY: A7 no link is followed, however the tree changes meanwhile. */
export async function removeTree(entry: HeldEntry, level = 0): Promise<void> {
  const at = inside(entry.folder, entry.name)
  if (!(await lstat(at)).isDirectory()) return unlink(at)
  await whileHeld(enter(entry, level), async (folder) => {
    for (const one of await entriesOf(folder, entry.path)) await removeTree(one, level + 1)
  })
  await rmdir(at)
}

/** Copies an entry and everything below it to a new name: links as links, with modes and times. SECURITY: A7 as above. */
export async function copyTree(from: HeldEntry, to: HeldEntry, level = 0): Promise<void> {
  const [source, target] = [inside(from.folder, from.name), inside(to.folder, to.name)]
  const stats = await lstat(source)
  if (stats.isSymbolicLink()) return symlink(await readlink(source, { encoding: 'buffer' }), target)
  if (!stats.isDirectory()) return copyFile(source, target, from.path)
  await whileHeld(enter(from, level), async (folder) => {
    await mkdir(target)
    await whileHeld(enter(to, level), async (made) => {
      for (const one of await entriesOf(folder, from.path))
        await copyTree(one, { folder: made, name: one.name, path: `${to.path}/${one.name}` }, level + 1)
      await chmod(made.at, stats.mode & 0o777)
      await utimes(made.at, stats.atime, stats.mtime)
    })
  })
}

function enter({ folder, name, path }: HeldEntry, level: number): HeldFolder {
  if (level >= MOST_LEVELS)
    throw new CountersignError('CS_TARGET', `\`${path}\` is more than ${MOST_LEVELS} folders deep; take it in parts`)
  return holdInside(folder, name, path)
}

async function entriesOf(folder: HeldFolder, path: string): Promise<readonly HeldEntry[]> {
  const names = await readdir(folder.at, { encoding: 'buffer' })
  return names.map((name) => ({ folder, name, path: `${path}/${name}` }))
}

async function copyFile(from: string | Buffer, to: string | Buffer, path: string): Promise<void> {
  const source = await open(from, READ)
  try {
    const stats = await source.stat()
    if (!stats.isFile())
      throw new CountersignError('CS_TARGET', `\`${path}\` is neither a file nor a folder; leave it where it is`)
    const target = await open(to, CREATE, 0o600)
    try {
      // A file that grows meanwhile is not followed.
      if (stats.size > 0) await target.writeFile(source.createReadStream({ autoClose: false, end: stats.size - 1 }))
      await target.chmod(stats.mode & 0o777)
      await target.utimes(stats.atime, stats.mtime)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
