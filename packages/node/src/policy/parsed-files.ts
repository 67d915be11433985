import { readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { PolicyFiles } from '@countersign/core'
import { openOwnFolder, readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'

/** INVARIANT: L10, results that are kept, and the size of each. */
const MAX_RESULTS = 64
const MAX_BYTES = 2 * 1024 * 1024

const KEY = /^[0-9a-f]{64}$/

/**
 * Results of parsing, in the folder `parsed` of the home: as private as the policy itself, and sealed by core. What can't
 * be read or written is parsed again.
 */
export function openParsedFiles(home: Home, build: string): NonNullable<PolicyFiles['parsed']> {
  const folder = join(home.dir, 'parsed')
  return {
    // The known time zones come with Node.
    program: `${build} ${process.version} ${process.versions.tz ?? ''}`,
    get(key) {
      try {
        const text = KEY.test(key) ? readOwnFile(join(folder, key), MAX_BYTES, 'CS_HOME') : undefined
        return text === undefined ? undefined : Buffer.from(text, 'base64')
      } catch {
        return undefined
      }
    },
    put(key, sealed) {
      const text = Buffer.from(sealed).toString('base64')
      if (!KEY.test(key) || text.length > MAX_BYTES) return
      try {
        openOwnFolder(folder, 'CS_HOME')
        prune(folder)
        replaceOwnFile(join(folder, key), text)
      } catch {
        // A full disk, or a home that can't be written: the policy is parsed each time.
      }
    },
  }
}

/** Makes room for one more: the oldest go. */
function prune(folder: string): void {
  const names = readdirSync(folder)
  if (names.length < MAX_RESULTS) return
  const aged = names
    .map((name) => ({ path: join(folder, name), age: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => a.age - b.age)
  for (const { path } of aged.slice(0, names.length - MAX_RESULTS + 1)) unlinkSync(path)
}
