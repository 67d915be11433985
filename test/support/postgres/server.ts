import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { CERTIFICATE } from '../notify/certificate.ts'
import { until } from '../until.ts'
import { findPostgres, NO_POSTGRES, type PostgresPrograms } from './programs.ts'
import { reachablePrograms } from './reachable.ts'

/** A PostgreSQL server of a test, on a Unix socket in a folder of its own. */
export interface PostgresServer {
  /** The folder of the socket. */
  readonly folder: string
  /** Its address, without the schema of a store. */
  address(): string
  /** The folder of its data. */
  readonly data: string
  /** The address of a store in a schema that nobody used before. */
  freshAddress(): string
  /** Its port on 127.0.0.1, where it has one. */
  port(): number
  /** The process of the server. */
  pid(): number
  /** Kills the server as a crash would, and starts it again. */
  crash(): Promise<void>
  /** Ends the server as a crash would. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Options of the server that make it start and stop fast. Data need not survive a power failure of the test machine. */
const FAST = ['-c', 'fsync=off', '-c', 'full_page_writes=off']
const SETTINGS = ['-c', 'max_connections=200', '-c', 'shared_buffers=32MB']
const ACCOUNTS = ['postgres', 'nobody']

/** One server for the tests of a file, started before the first. */
export function usePostgres(options: ServerOptions = {}): PostgresServer {
  let server: PostgresServer | undefined
  const running = (): PostgresServer => {
    if (server === undefined) throw new Error('the server was not started')
    return server
  }
  beforeAll(async () => {
    server = await startPostgres(options)
  })
  afterAll(() => server?.stop())
  return {
    get folder() {
      return running().folder
    },
    address: () => running().address(),
    get data() {
      return running().data
    },
    freshAddress: () => running().freshAddress(),
    port: () => running().port(),
    pid: () => running().pid(),
    crash: () => running().crash(),
    kill: () => running().kill(),
    start: () => running().start(),
    stop: () => running().stop(),
  }
}

export interface ServerOptions {
  /** It writes to the disk as in production, for tests that crash it. */
  readonly safe?: boolean
  /** It also listens on 127.0.0.1, with TLS and passwords. */
  readonly network?: boolean
  /** The version of the server, where it is not the preferred one. */
  readonly programs?: PostgresPrograms
  /** Settings of the server, such as `wal_writer_delay=10ms`. */
  readonly settings?: readonly string[]
  /** It follows this server by streaming replication, named `standby`, and begins with a copy of its data. */
  readonly standbyOf?: PostgresServer
}

/** Starts a server. */
export async function startPostgres({
  safe = false,
  network = false,
  programs = required(findPostgres()),
  settings = [],
  standbyOf,
}: ServerOptions = {}): Promise<PostgresServer> {
  const account = accountOf()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cs-pg-')))
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const runnable = account === undefined ? programs.folder : reachablePrograms(programs.folder, folder)
  const data = join(folder, 'data')
  let running: ChildProcess | undefined
  let next = 0
  const port = network ? await freePort() : 5432

  function launch(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(join(runnable, program), args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      ...account,
    })
    said.length = 0
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => said.push(String(text)))
    return child
  }
  const said: string[] = []

  async function start(): Promise<void> {
    const listening = network ? ['-c', 'listen_addresses=127.0.0.1', '-c', 'ssl=on'] : ['-c', 'listen_addresses=']
    const child = launch('postgres', [
      '-D',
      data,
      '-k',
      folder,
      '-p',
      String(port),
      ...listening,
      ...SETTINGS,
      ...(safe ? [] : FAST),
      ...settings.flatMap((setting) => ['-c', setting]),
    ])
    running = child
    const isReady = () => /database system is ready to accept (read-only )?connections/.test(said.join(''))
    await until('PostgreSQL to start', () => isReady() || child.exitCode !== null)
    if (!isReady()) throw new Error(`PostgreSQL did not start: ${said.join('')}`)
  }

  /** Children of a server that was killed hold its memory until they notice. */
  async function restart(): Promise<void> {
    await until('PostgreSQL to start again', () =>
      start().then(
        () => true,
        () => false,
      ),
    )
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = running
    running = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    const connections = signal === 'SIGKILL' ? childrenOf(child.pid) : []
    child.kill(signal)
    await exited
    // A machine that fails takes them along; on their own they would go on for a moment.
    for (const pid of connections) endProcess(pid)
  }

  async function initialize(): Promise<void> {
    const words = ['--no-sync', '-A', 'trust', '-U', 'test', '-E', 'UTF8', '--locale=C.UTF-8']
    const [code] = await once(launch('initdb', ['-D', data, ...words]), 'exit')
    if (code !== 0) throw new Error(`initdb failed: ${said.join('')}`)
  }

  const killNow = () => running?.kill('SIGQUIT')
  process.on('exit', killNow)
  if (standbyOf === undefined) await initialize()
  else await copyData(standbyOf, data)
  if (network) allowNetwork(data, account)
  await start()

  const address = `postgres://test@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`
  return {
    folder,
    data,
    address: () => address,
    freshAddress: () => `${address}&schema=tenant_${++next}`,
    port: () => port,
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    kill: () => end('SIGKILL'),
    async crash() {
      await end('SIGKILL')
      await restart()
    },
    start: restart,
    async stop() {
      await end('SIGQUIT')
      process.off('exit', killNow)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function required(programs: PostgresPrograms | undefined): PostgresPrograms {
  if (programs === undefined) throw new Error(NO_POSTGRES)
  return programs
}

/** The data of a stopped server, without its process, for one that follows it. */
async function copyData(primary: PostgresServer, data: string): Promise<void> {
  await primary.kill()
  execFileSync('cp', ['-a', primary.data, data])
  rmSync(join(data, 'postmaster.pid'), { force: true })
  const { uid, gid } = statSync(data)
  const settings = join(data, 'postgresql.auto.conf')
  appendFileSync(settings, `primary_conninfo = 'host=${primary.folder} user=test application_name=standby'\n`)
  appendFileSync(join(data, 'standby.signal'), '')
  chownSync(join(data, 'standby.signal'), uid, gid)
  await primary.start()
}

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return [] // not on Linux: they end by themselves
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The network needs TLS and a password; the socket is only for the test. */
function allowNetwork(data: string, account: ReturnType<typeof accountOf>): void {
  const files = {
    'server.crt': CERTIFICATE.cert,
    'server.key': CERTIFICATE.key,
    'pg_hba.conf': 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), `${text}\n`, { mode: 0o600 })
    if (account !== undefined) chownSync(join(data, name), account.uid, account.gid)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** PostgreSQL refuses to run as root. */
export function accountOf(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ACCOUNTS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('tests that run as root start PostgreSQL as `postgres` or `nobody`; add one of these accounts')
}
