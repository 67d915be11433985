import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { onTestFinished } from 'vitest'
import { openHttpClient } from './http-client.ts'
import { startHttpRelay } from './http-peers.ts'
import { initialize, type Rpc, startPeer } from './line-peer.ts'
import { type RecordedServer, recordedHttpServer, recordedServer } from './recorded-server.ts'
import { openRelayHome, type RelayHome } from './relay-home.ts'
import type { Way } from './ways.ts'

const POLICY = `version: 1
rules:
  - { tool: "*/stall", supervision: automatic, up_to: critical }
  - { tool: "*/drip", supervision: automatic, up_to: critical }
  - { tool: "*/note", supervision: confirm }
`
const CLIENT = join(import.meta.dirname, 'client-child.ts')

/** The stages of a call at which something dies. */
export const STAGES = ['starting', 'idle', 'held', 'approved', 'running', 'answering'] as const
export type Stage = (typeof STAGES)[number]

/** The tool whose call reaches a stage. */
export function toolAt(stage: Stage): 'note' | 'stall' | 'drip' {
  if (stage === 'running') return 'stall'
  return stage === 'answering' ? 'drip' : 'note'
}

/** A server that can be killed, with a home, and the URL of an HTTP proxy. */
export interface KillWorld {
  readonly way: Way
  readonly home: RelayHome
  readonly server: RecordedServer & { readonly url?: string }
}

/** A client of a proxy, in this process. */
export interface Connected {
  readonly proxy: ChildProcess
  /** Initializes; returns the result. */
  greet(): Promise<Rpc | 'broken'>
  /** Sends a request; returns its response, or that none will come. */
  ask(message: Rpc): Promise<Rpc | 'broken'>
  /** Disconnects cleanly and waits until the proxy exits. */
  end(): Promise<void>
}

export async function openKillWorld(way: Way): Promise<KillWorld> {
  const home = openRelayHome(temporaryFolder(), POLICY)
  onTestFinished(() => home.close())
  const open = way === 'pipe' ? recordedServer : recordedHttpServer
  return { way, home, server: await open(home, 'recording') }
}

/** Starts a proxy and a client. */
export async function connect({ way, home, server }: KillWorld): Promise<Connected> {
  if (way === 'listen') return connectOverHttp(home, server.url ?? '')
  const peer = startPeer(server.command)
  onTestFinished(() => void peer.child.kill('SIGKILL'))
  return {
    proxy: peer.child,
    async greet() {
      await initialize(peer).catch(() => {})
      return peer.said.find(({ id }) => id === 'init') ?? 'broken'
    },
    ask: (message) => peer.ask(message).catch(() => 'broken' as const),
    async end() {
      await peer.end()
    },
  }
}

async function connectOverHttp(home: RelayHome, url: string): Promise<Connected> {
  const relay = await startHttpRelay(home, 'recording', url)
  onTestFinished(() => void relay.child.kill('SIGKILL'))
  let client: Awaited<ReturnType<typeof openHttpClient>> | undefined
  return {
    proxy: relay.child,
    async greet() {
      client = await openHttpClient(relay.url).catch(() => undefined)
      return client?.opened ?? 'broken'
    },
    ask: (message) => client?.ask(message).catch(() => 'broken' as const) ?? Promise.resolve('broken' as const),
    async end() {
      client?.close()
      await relay.end()
    },
  }
}

/** A client in its own process, on its way to a stage, with its proxy and the URL of an HTTP proxy. */
export async function startClientProcess(
  stage: Stage,
  { way, home, server }: KillWorld,
): Promise<{ readonly child: ChildProcess; readonly proxy: number; readonly url: string | null }> {
  const relay = way === 'listen' ? await startHttpRelay(home, 'recording', server.url ?? '') : null
  if (relay !== null) onTestFinished(() => void relay.child.kill('SIGKILL'))
  const told = stage === 'starting' || stage === 'idle' ? stage : 'calling'
  const place = JSON.stringify(relay === null ? server.command : { url: relay.url })
  const argv = ['--no-warnings', CLIENT, told, toolAt(stage), place]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  await until('the client to be ready', () => printed.includes('ready'))
  return { child, proxy: relay?.child.pid ?? Number(printed.split('\n')[0]), url: relay?.url ?? null }
}
