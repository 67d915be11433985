import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHome, readStoreSetting } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { startBash } from '@countersign/testing/command/spawn-cli'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'

const COMPOSE = readFileSync(join(import.meta.dirname, '../../examples/container/compose.yaml'), 'utf8')
const PASSWORD = ['only', 'for', 'tests'].join('')

describe.skipIf(missingPostgres())('the service of the compose file', () => {
  const server = usePostgres({ network: true })

  it('starts on a server with a password as written, and again', async () => {
    const admin = new pg.Client({ host: server.folder, port: server.port(), user: 'test', database: 'postgres' })
    await admin.connect()
    await admin.query(`CREATE ROLE countersign LOGIN PASSWORD '${PASSWORD}'`)
    await admin.query('CREATE DATABASE countersign OWNER countersign')
    await admin.end()

    const folder = temporaryFolder()
    const home = join(folder, 'home')
    writeFileSync(join(folder, 'postgres-password'), `${PASSWORD}\n`)
    const { countersign } = parse(COMPOSE).services
    const script: string = countersign.entrypoint[2]
    const local = (text: string) => text.replaceAll('/var/lib/countersign', home).replace('/run/countersign', folder)
    const line = local(script)
      .replaceAll('$$', '$')
      .replace('/run/secrets', folder)
      .replace('@postgres/', `@127.0.0.1:${server.port()}/`)
      .replace('sslmode=disable', 'sslmode=require')
    const words = countersign.command
      .map((word: string) => (word === '4180' ? '0' : word.startsWith('https:') ? 'https://gate.example' : local(word)))
      .join(' ')
    const run = (...argv: readonly string[]) => runInProcess(argv, { cwd: folder, home })

    for (let start = 0; start < 2; start += 1) {
      const service = startBash(`set -eu -- ${words}; ${line}`, folder, folder)
      onTestFinished(() => void service.kill('SIGKILL'))
      const said: string[] = []
      service.stderr?.on('data', (text) => said.push(String(text)))
      const isUp = () => run('status', '--json').then(({ code }) => code === 0)
      await until('the service', async () => service.exitCode !== null || (await isUp()))
      expect([service.exitCode, said.join('')]).toEqual([null, expect.not.stringContaining(PASSWORD)])
      expect(readStoreSetting(openHome(home))).toContain('postgres://countersign:')
      const ended = once(service, 'exit')
      service.kill('SIGTERM')
      await ended
    }
    expect((await run('store', 'check')).stdout).toContain('PostgreSQL')
  })
})
