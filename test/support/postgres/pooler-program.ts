import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian keeps it where only root's PATH has it. */
export function findPgBouncer(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path))
}

export const NO_PGBOUNCER =
  'PgBouncer is not installed, so tests behind a pooler are skipped; install the package `pgbouncer`'

/** Why tests behind a pooler can't run here; undefined if they can. On CI a missing one is a failure. */
export function missingPgBouncer(): string | undefined {
  if (findPgBouncer() !== undefined) return undefined
  if (process.env['CI'] === 'true') throw new Error(NO_PGBOUNCER)
  return NO_PGBOUNCER
}
