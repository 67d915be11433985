import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHome } from '@countersign/node'
import { COMMAND, IS_BUILT } from '../command.ts'
import { ensurePeers } from '../peers/install.ts'
import type { McpContender } from './contender.ts'
import { freePort, startHttp } from './http-contender.ts'
import { startLines } from './line-contender.ts'

const HERE = import.meta.dirname
const PEERS = join(HERE, '../peers/node_modules')
const NODE = [process.execPath, '--no-warnings']
const POLICY = 'version: 1\nrules:\n  - { tool: "bench*/*", supervision: automatic, up_to: critical }\n'

const COUNTERSIGN = [...NODE, ...COMMAND.flags, COMMAND.file]

const SERVER = [...NODE, join(HERE, 'server-child.ts')]
const SDK_SERVER = [...NODE, join(HERE, 'sdk-server-child.ts')]

/** Starts contenders, each in front of its own stdio server, or all in front of one HTTP server. */
export interface McpStage {
  readonly isBuilt: boolean
  readonly hasPeers: boolean
  direct(): Promise<McpContender>
  rawPipe(): Promise<McpContender>
  ours(): Promise<McpContender>
  /** A server on the official SDK: alone, behind a raw pipe, behind our proxy. */
  onSdk(): Promise<readonly McpContender[]>
  supergateway(): Promise<McpContender>
  mcpProxy(): Promise<McpContender>
  httpServer(): Promise<McpContender & { readonly url: string }>
  bareProxy(url: string): Promise<McpContender>
  oursOverHttp(url: string): Promise<McpContender>
  oursToUrl(url: string): Promise<McpContender>
  mcpRemote(url: string): Promise<McpContender>
  supergatewayToUrl(url: string): Promise<McpContender>
  close(): void
}

/** Creates a home whose policy runs the bench's server without asking: judged, and journaled. */
export function openMcpStage(): McpStage {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, POLICY, { mode: 0o600 })
  const countersign = (label: string, ...words: readonly string[]) => [
    ...COUNTERSIGN,
    '--home',
    home.dir,
    'mcp',
    '--name',
    label,
    ...words,
  ]
  const peer = (file: string) => [...NODE, join(PEERS, file)]
  const shell = SERVER.map((word) => `'${word}'`).join(' ')
  /** `mcp-remote` keeps its sign-ins in a folder of its home. */
  const env = { ...process.env, HOME: root, MCP_REMOTE_CONFIG_DIR: join(root, 'mcp-remote') }
  return {
    isBuilt: IS_BUILT,
    hasPeers: ensurePeers() && existsSync(join(PEERS, 'mcp-remote')),
    direct: () => startLines('the server itself', SERVER),
    rawPipe: () => startLines('a raw pipe', [...NODE, join(HERE, 'raw-pipe-child.ts'), ...SERVER]),
    ours: () => startLines('countersign', countersign('bench', '--', ...SERVER), { cwd: workspace }),
    async onSdk() {
      return [
        await startLines('the server itself', SDK_SERVER),
        await startLines('a raw pipe', [...NODE, join(HERE, 'raw-pipe-child.ts'), ...SDK_SERVER]),
        await startLines('countersign', countersign('bench-sdk', '--', ...SDK_SERVER), { cwd: workspace }),
      ]
    },
    async supergateway() {
      const port = await freePort()
      const flags = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none', '--port', String(port)]
      const argv = [...peer('supergateway/dist/index.js'), '--stdio', shell, ...flags]
      return startHttp('supergateway', argv, { url: `http://127.0.0.1:${port}/mcp`, env })
    },
    async mcpProxy() {
      const port = await freePort()
      const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream']
      const argv = [...peer('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...flags, '--', ...SERVER]
      return startHttp('mcp-proxy', argv, { url: `http://127.0.0.1:${port}/mcp`, env })
    },
    httpServer: () => startHttp('the server itself', [...SERVER, 'http']),
    bareProxy: (url) => startHttp('a bare node:http proxy', [...NODE, join(HERE, 'bare-proxy-child.ts'), url]),
    oursOverHttp: (url) =>
      startHttp('countersign', countersign('bench-http', '--listen', '0', '--url', url), { cwd: workspace }),
    oursToUrl: (url) => startLines('countersign', countersign('bench-http', '--url', url), { cwd: workspace }),
    mcpRemote: (url) =>
      startLines('mcp-remote', [...peer('mcp-remote/dist/proxy.js'), url, '--allow-http', '--transport', 'http-only'], {
        env,
      }),
    supergatewayToUrl: (url) =>
      startLines(
        'supergateway',
        [...peer('supergateway/dist/index.js'), '--streamableHttp', url, '--logLevel', 'none'],
        { env },
      ),
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}
