import { describe } from 'vitest'
import { missingPostgres, postgresVersions } from './programs.ts'
import { type PostgresServer, usePostgres } from './server.ts'

/** The same tests on every version of the server that this run uses; skipped where there is none. */
export function onEachPostgres(title: string, tests: (server: PostgresServer) => void): void {
  const missing = missingPostgres()
  const servers = missing === undefined ? postgresVersions().map((programs) => ({ programs })) : [{}]
  for (const options of servers) {
    const name = 'programs' in options ? `PostgreSQL ${options.programs.version}` : missing
    describe.skipIf(missing)(`${title}, ${name}`, () => tests(usePostgres(options)))
  }
}
