import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Home, openHome } from '@countersign/node'

/** When the program of store version 1 wrote the store of `oldHome`. */
export const WRITTEN_AT = Date.UTC(2026, 0, 5, 12)

/** The workspace in which its calls were submitted. */
export const WRITTEN_IN = '/tmp/v1store/project'

/**
 * A home as the program of an older store version left it when it was killed: closed calls, two held ones (`waiting`, `big`), one
 * approved but not collected, a grant, counters, a journal and its checkpoint. The keys were made for it alone.
 * The store of version 2 is that of version 1 after an update, with one contained call more.
 */
export function oldHome(folder: string, version: 1 | 2 = 1): Home {
  const home = openHome(join(folder, 'home'))
  const files: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'home.json'), 'utf8'))
  for (const [name, lines] of Object.entries(files as Record<string, readonly string[]>)) {
    const path = join(home.dir, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, lines.join(''), { mode: 0o600 })
  }
  writeFileSync(home.store, '', { mode: 0o600 })
  const db = new DatabaseSync(home.store)
  db.exec('PRAGMA journal_mode = WAL; BEGIN')
  db.exec(readFileSync(join(import.meta.dirname, '..', `store-v${version}`, 'store.sql'), 'utf8'))
  db.exec('COMMIT')
  db.close()
  return home
}
