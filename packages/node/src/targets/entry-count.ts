import { opendirSync } from 'node:fs'

const MAX_COUNTED = 10_000

/** How many entries a folder has: `10000+` beyond that, `?` when it cannot be listed. */
export function folderEntries(path: string): string {
  try {
    const folder = opendirSync(path)
    try {
      let count = 0
      while (count < MAX_COUNTED && folder.readSync() !== null) count += 1
      return count < MAX_COUNTED ? String(count) : `${MAX_COUNTED}+`
    } finally {
      folder.closeSync()
    }
  } catch {
    return '?'
  }
}
