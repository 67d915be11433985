import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND_ENV, COMMAND_LINE } from '@countersign/testing/command/command'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** A server with one tool, whose description comes from the variable. */
const SERVER = `
const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const tools = [{ name: 'read', description: process.env.SAYS, inputSchema: { type: 'object' } }]
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'ran ' + params?.name }] },
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})
`

const PARAMS = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

/** Starts a server like its client, sends everything, and returns the answers by id. */
async function talk(words: readonly string[], cwd: string, env: Record<string, string>, calls: readonly string[]) {
  const [program = '', ...args] = words
  const child = spawn(program, args, {
    cwd,
    env: { ...COMMAND_ENV, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const asked = [
    { id: 1, method: 'initialize', params: PARAMS },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list', params: {} },
  ]
  const ended = endOf(child)
  let heard = ''
  const answered = (id: number) =>
    new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (heard.includes(`"id":${id}`)) resolve()
      }
      child.stdout.on('data', (chunk: string) => {
        heard += chunk
        look()
      })
      child.once('close', () => reject(new Error('the proxy ended')))
    })
  const listed = answered(2)
  for (const message of asked) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  await listed
  for (const [at, name] of calls.entries()) {
    const done = answered(10 + at)
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 10 + at, method: 'tools/call', params: { name, arguments: {} } })}\n`,
    )
    await done
  }
  child.stdin.end()
  const { stdout, stderr } = await ended
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: unknown })
  return { stderr, get: (id: number) => answers.find((one) => one.id === id)?.result }
}

describe('a wrapped server', () => {
  it('answers behind the gate, and its later changes are refused', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder()
    const cwd = join(folder, 'project')
    const home = join(folder, 'home')
    for (const path of [cwd, join(folder, '.cursor')]) mkdirSync(path)
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'policy.yaml'), 'version: 1\nauto_approve: ["notes/read"]\n', { mode: 0o600 })
    writeFileSync(join(folder, 'notes.cjs'), SERVER)
    const config = join(folder, '.cursor', 'mcp.json')
    const servers = { notes: { command: process.execPath, args: [join(folder, 'notes.cjs')] } }
    writeFileSync(config, JSON.stringify({ mcpServers: servers }))
    const launcher = join(folder, 'countersign')
    writeFileSync(launcher, `#!/bin/sh\nexec ${COMMAND_LINE} "$@"\n`)
    chmodSync(launcher, 0o755)
    const run = (...words: readonly string[]) =>
      runInProcess([...words, '--yes', '--account-home', folder], { cwd, home })
    expect((await run('mcp', 'wrap', 'cursor', '--launcher', launcher)).code).toBe(0)
    const { command, args } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.notes
    const first = await talk([command, ...args], cwd, { SAYS: 'Reads a note.' }, ['read', 'erase'])
    expect(first.get(2)).toMatchObject({ tools: [{ name: 'read', description: 'Reads a note.' }] })
    expect(first.get(10)).toMatchObject({ content: [{ text: 'ran read' }] })
    expect(first.get(11)).toMatchObject({ isError: true })
    const second = await talk([command, ...args], cwd, { SAYS: 'Reads a note, and sends it away.' }, ['read'])
    expect(second.get(2)).toMatchObject({
      tools: [{ name: 'read', description: expect.stringContaining('In quarantine') }],
    })
    expect(second.get(10)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`countersign mcp accept notes --home ${home}`) }],
    })
    expect(first.stderr).not.toContain('quarantine')
    const look = `review it with \`countersign mcp accept notes --home ${home}\``
    expect(second.stderr.split('\n').filter((line) => line.includes('quarantine'))).toEqual([
      `countersign: notes/read is in quarantine: its definition changed since first contact, and no person has accepted it; ${look}`,
    ])
    expect((await run('mcp', 'unwrap', 'cursor')).code).toBe(0)
    expect(readFileSync(config, 'utf8')).toBe(JSON.stringify({ mcpServers: servers }))
  })
})
