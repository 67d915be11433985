import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** INVARIANT: L10, a repository with more is not looked into. */
const LIMITS = { entries: 20_000, indexBytes: 128 * 1024 * 1024 } as const

/** Folders of a repository that git reads no text from: objects by their hash, and the repositories of submodules. */
const SKIPPED = /^(?:objects\/(?:[0-9a-f]{2}|pack)|modules|lfs|annex)$/

/** The symbolic links in the folder of a repository; undefined for more entries than the bound. */
export async function linksIn(folder: string): Promise<readonly string[] | undefined> {
  const links: string[] = []
  let count = 0
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true })
    count += entries.length
    if (count > LIMITS.entries) return undefined
    for (const entry of entries) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isSymbolicLink()) links.push(join(folder, path))
      else if (entry.isDirectory() && !SKIPPED.test(path)) waiting.push(path)
    }
  }
  return links
}

/** The mode of an entry for another repository, as the index holds it. */
const GITLINK = Buffer.from([0x00, 0x00, 0xe0, 0x00])

/** Whether the index of a repository may name other repositories. Quick: without any, these bytes are hardly ever there. */
export async function mayNameRepositories(folder: string): Promise<boolean> {
  const index = await readFile(join(folder, 'index')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (index === null) return false
  // A split index has its entries in another file.
  return index.length > LIMITS.indexBytes || index.includes(GITLINK) || index.includes('link')
}
