import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'
import { findPgBouncer } from './pooler-program.ts'
import { accountOf, type PostgresServer } from './server.ts'

/** When the pooler gives a server's connection to another client. */
export type PoolMode = 'session' | 'transaction'

/** Starts PgBouncer before a server, and returns how addresses lead through it; it ends with the test. */
export async function openPooler(
  server: PostgresServer,
  mode: PoolMode,
  connections = 20,
): Promise<(address: string) => string> {
  const account = accountOf()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cs-pooler-')))
  const settings = `
[databases]
postgres = host=${server.folder} port=5432
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = ${connections}
`
  writeFileSync(join(folder, 'users'), '"test" ""\n')
  writeFileSync(join(folder, 'settings'), settings)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const child = spawn(findPgBouncer() ?? '', [join(folder, 'settings')], { stdio: 'ignore', ...account })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGINT')
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await until('PgBouncer to listen', () => existsSync(join(folder, '.s.PGSQL.5432')) || child.exitCode !== null)
  return (address) => address.replace(encodeURIComponent(server.folder), encodeURIComponent(folder))
}
