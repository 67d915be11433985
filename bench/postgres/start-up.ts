import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHome, writeStoreSetting } from '@countersign/node'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { measureStarts } from '../startup/run.ts'
import type { BenchRow } from '../table.ts'
import { freshTables } from './clients.ts'

/** The built command on a home with a store on PostgreSQL, beside one on a home with SQLite. */
export async function benchStartUp(server: PostgresServer, turns: number): Promise<readonly BenchRow[]> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const [file, shared] = [join(root, 'file'), join(root, 'shared')]
    for (const home of [file, shared]) mkdirSync(home, { mode: 0o700 })
    writeStoreSetting(openHome(shared), await freshTables(server))
    const exec = (home: string) => ['exec', '--no-input', '--home', home, '--', 'true']
    return await measureStarts(
      [
        { name: 'exec, store on SQLite', argv: exec(file), most: null },
        { name: 'exec, store on PostgreSQL', argv: exec(shared), most: null },
      ],
      turns,
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
