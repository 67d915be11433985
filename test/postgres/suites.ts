import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Suites that run with their stores on SQLite, and again on PostgreSQL. */
const FOLDERS = ['acceptance', 'faults', 'laws', 'properties', 'security', 'simulation']
/** Modules that open a store for a test: the one that the Vitest project has. */
const OPENERS = /testing\/(?:gate\/(?:world|service)|faults\/fault-run)'/

/** Tests of these suites that stay on SQLite, each with the reason. */
export const SQLITE_ONLY: { readonly [file: string]: string } = {
  'test/faults/bad-input.test.ts': 'damages files of the home, `store.db` among them',
  'test/faults/kill.test.ts': 'has a part for each store',
  'test/faults/rules.test.ts': 'kills at changes of files in the home',
  'test/faults/store-update.test.ts': 'updates `store.db` files of older versions',
  'test/security/edited-store.test.ts': 'edits copies of one `store.db`; roles of the database are in test/postgres',
}

/** The files of these suites that use a store. */
export function filesWithStore(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, 'test', folder))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/${folder}/${name}`)
      .filter((file) => OPENERS.test(readFileSync(join(root, file), 'utf8'))),
  )
}

/** Those that also run with their stores on PostgreSQL. */
export function filesOnPostgres(): string[] {
  return filesWithStore().filter((file) => !(file in SQLITE_ONLY))
}
