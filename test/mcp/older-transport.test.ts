import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasServers, SERVERS } from './support/conformance.ts'
import { driveClient } from './support/drive-client.ts'
import { ALLOW_ALL, openRelayHome } from './support/relay-home.ts'

const EVERYTHING = [process.execPath, join(SERVERS, '@modelcontextprotocol/server-everything/dist/index.js')]

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The official everything server over HTTP with server-sent events (2024-11-05). */
async function startOverEvents(): Promise<string> {
  const port = await freePort()
  const [program = '', ...args] = EVERYTHING
  const child = spawn(program, [...args, 'sse'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  for await (const line of createInterface(child.stderr)) if (line.includes(`port ${port}`)) break
  child.stderr.resume()
  return `http://127.0.0.1:${port}/sse`
}

describe.runIf(hasServers())('the official everything server over its older transport', () => {
  it('looks the same to the SDK’s client through the proxy as on stdio', async () => {
    const home = openRelayHome(temporaryFolder(), ALLOW_ALL)
    onTestFinished(() => home.close())
    const url = await startOverEvents()
    const calls = [
      { name: 'echo', arguments: { message: 'hello \u2028 “world” 🪢' } },
      { name: 'get-structured-content', arguments: { location: 'Chicago' } },
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
      { name: 'get-roots-list', arguments: {} },
      { name: 'trigger-elicitation-request', arguments: {} },
      { name: 'trigger-sampling-request', arguments: { prompt: 'say something', maxTokens: 10 } },
      { name: 'get-sum', arguments: { a: 'no number', b: 1 } },
    ]
    const [direct, proxied] = await Promise.all([
      driveClient({ command: { argv: EVERYTHING, cwd: home.workspace, env: process.env }, calls }),
      driveClient({ command: home.command(['--name', 'everything', '--url', url]), calls }),
    ])
    expect(proxied).toEqual(direct)
    expect(JSON.stringify(direct)).not.toContain('NOT EXECUTED')
  })
})
