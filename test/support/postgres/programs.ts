import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian keeps the programs of each version of PostgreSQL, which are not on the PATH. */
const DEBIAN = '/usr/lib/postgresql'

/** The folder with `initdb` and `postgres`: of the newest version under Debian's folder, else on the PATH. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))))
}

export const NO_POSTGRES = 'PostgreSQL (`initdb` and `postgres`) is not installed'

/** Why tests of PostgreSQL can't run here; undefined if they can. On CI a missing server is a failure. */
export function missingPostgres(): string | undefined {
  if (findPostgres() !== undefined) return undefined
  if (process.env['CI'] === 'true') throw new Error(`${NO_POSTGRES}; install the package \`postgresql\``)
  return NO_POSTGRES
}
