import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Annotations, Call, JsonObject } from '@countersign/core'
import { openGate } from '@countersign/node'
import { isAlive } from '@countersign/testing/process-alive'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { readMcpConfig } from './config.ts'
import { openMcpTools } from './mcp-tools.ts'

const SERVER = fileURLToPath(new URL('./stdio-server.fixture.ts', import.meta.url))
const started = (...args: readonly string[]) => ({ command: process.execPath, args: [SERVER, ...args] })

async function open(servers: Parameters<typeof openMcpTools>[0], taken: readonly string[] = []) {
  const mcp = await openMcpTools(servers, { workspace: temporaryFolder(), taken })
  onTestFinished(() => mcp.close())
  const tool = (name: string): AgentTool => {
    const found = mcp.tools.find((one) => one.name === name)
    if (found === undefined) throw new Error(`no ${name} in ${mcp.tools.map((one) => one.name).join()}`)
    return found
  }
  const run = (name: string, args: JsonObject = {}, signal = new AbortController().signal) =>
    tool(name).run(args, { workspace: '/', signal, output: () => {}, mayRead: async () => false })
  return { ...mcp, tool, run }
}

/** The call as the loop submits it. */
function callOf({ name, nameOnServer, server, source, definition, annotations }: AgentTool, args: JsonObject): Call {
  return {
    tool: {
      name: nameOnServer ?? name,
      ...(server === undefined ? {} : { server }),
      ...(definition === undefined ? {} : { definition }),
      ...(annotations === undefined ? {} : { annotations: annotations as Annotations }),
    },
    source,
    args,
  }
}

describe('the tools of MCP servers', () => {
  it('are named by server and tool, keep their definition, and return text', async () => {
    const { tools, problems, run } = await open({ notes: started('honest') })
    expect(problems).toEqual([])
    expect(tools.map(({ name }) => name)).toEqual(
      ['echo', 'fail', 'picture', 'data', 'slow'].map((name) => `notes__${name}`),
    )
    expect(tools[0]).toMatchObject({
      nameOnServer: 'echo',
      server: 'notes',
      source: 'mcp',
      definition: { name: 'echo', description: 'does echo' },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })
    expect(await run('notes__echo', { text: 'hi' })).toBe('echo: hi')
    expect(await run('notes__picture')).toBe('[image, image/png, 3 KB]')
    expect(await run('notes__data')).toBe('{"rows":3}')
    await expect(run('notes__fail')).rejects.toThrow('the disk is full')
  })

  it('54: are held by the gate, whatever a server claims about them', async () => {
    const { tool } = await open({ notes: started('honest') })
    const { gate } = await openGate({ home: temporaryFolder(), workspace: temporaryFolder() })
    onTestFinished(() => gate.close())
    expect(await gate.isConfirmationRequired(callOf(tool('notes__echo'), { text: 'hi' }))).toBe(true)
  })

  it('of a trusted server run unasked if the server says that they only read', async () => {
    const { tool, run } = await open({ notes: started('honest') })
    const home = temporaryFolder()
    writeFileSync(join(home, 'policy.yaml'), 'version: 1\nservers: { notes: { trust: hints } }\n', { mode: 0o600 })
    const { gate } = await openGate({ home, workspace: temporaryFolder() })
    onTestFinished(() => gate.close())
    const echoed = await gate.run(callOf(tool('notes__echo'), { text: 'hi' }), () => run('notes__echo', { text: 'hi' }))
    expect(echoed).toMatchObject({ kind: 'completed', value: 'echo: hi' })
    expect(await gate.isConfirmationRequired(callOf(tool('notes__data'), {}))).toBe(true)
  })

  it('55: cannot be called after their server stops listing them', async () => {
    const calls = join(temporaryFolder(), 'calls')
    const { run } = await open({ notes: started('vanishing', '--calls', calls) })
    await expect(run('notes__echo')).rejects.toThrow('does not list `echo` any more')
    expect(existsSync(calls)).toBe(false)
  })

  it('56: with the same name are all omitted, within a server, between servers and with built-in ones', async () => {
    const inOne = await open({ x: started('colliding') })
    expect(inOne.tools.map(({ name }) => name)).toEqual(['x__alone'])
    expect(inOne.problems).toEqual(['the tools `x/a.b` and `x/a_b` and `x/A_B` share a name and are omitted'])
    const between = await open({ X: started('vanishing'), x: started('vanishing') })
    expect(between.tools).toEqual([])
    const taken = await open({ x: started('vanishing') }, ['x__echo'])
    expect([taken.tools, taken.problems]).toEqual([[], ['tool `x/echo` has the name of another tool and is omitted']])
  })

  it('56: count as new tools after their definition changed, for the gate and when called', async () => {
    const calls = join(temporaryFolder(), 'calls')
    const { run, tool } = await open({ notes: started('changing', '--calls', calls) })
    await expect(run('notes__echo', { text: 'hi' })).rejects.toThrow('changed the definition of `echo`')
    expect(existsSync(calls)).toBe(false)
    const { gate, ports } = await openGate({ home: temporaryFolder(), workspace: temporaryFolder() })
    onTestFinished(() => gate.close())
    const before = tool('notes__echo')
    const after = { ...before, definition: { name: 'echo', description: 'sends everything away' } }
    const identity = async (one: AgentTool) =>
      (JSON.parse((await gate.preview(callOf(one, {}))).request) as { call: { tool: object } }).call.tool
    expect(await identity(before)).toMatchObject({ server: 'notes', name: 'echo' })
    expect(await identity(before)).not.toEqual(await identity(after))
    expect(ports).toBeDefined()
  })

  it('are all omitted if a server’s list is invalid', async () => {
    const { tools, problems } = await open({ odd: started('broken') })
    expect([tools, problems]).toEqual([[], ['server `odd` cannot be used: Invalid result for tools/list']])
  })

  it('are omitted if too large, and get a shorter name if it is too long', async () => {
    const { tools, problems, run } = await open({ odd: started('large') })
    expect(problems).toEqual(['tool `large` of server `odd` has a definition over 64 KiB and is omitted'])
    const [long, ok] = tools.map(({ name }) => name)
    expect([long?.length, ok]).toEqual([64, 'odd__ok'])
    expect(await run(long ?? '', { text: 'hi' })).toBe(`${'n'.repeat(100)}: hi`)
  })

  it('58: of a failing server do not affect the others', async () => {
    const { tools, problems } = await open({
      dead: started('dies'),
      gone: { command: '/nowhere/server' },
      ok: started('vanishing'),
    })
    expect(tools.map(({ name }) => name)).toEqual(['ok__echo'])
    expect(problems).toHaveLength(2)
    expect(problems[0]).toMatch(/server `dead` cannot be used: .*no licence found/)
    expect(problems[1]).toMatch(/server `gone` cannot be used: .*ENOENT/)
  })

  it('stop when aborted', async () => {
    const { run } = await open({ notes: started('honest') })
    const abort = new AbortController()
    const running = run('notes__slow', {}, abort.signal)
    abort.abort(new Error('enough'))
    await expect(running).rejects.toThrow()
    expect(await run('notes__echo', { text: 'still here' })).toBe('echo: still here')
  })

  it('leave no process behind when closed', async () => {
    const file = join(temporaryFolder(), 'pids')
    const { close } = await open({ notes: started('honest', '--children', file) })
    const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number)
    expect(pids.filter(isAlive)).toHaveLength(2)
    await close()
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 30_000, interval: 20 })
  })

  it('work over HTTP too', async () => {
    const url = await serveHttp()
    const { run, problems } = await open({ web: { url, headers: { 'x-key': 'k' } } })
    expect(problems).toEqual([])
    expect(await run('web__echo', { text: 'hi' })).toBe('hi with k')
  })
})

/** A minimal HTTP server with the 2025 protocol: one JSON response for each POST. */
async function serveHttp(): Promise<string> {
  const list = { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }
  const server = createServer((request, answer) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      if (request.method !== 'POST') return answer.writeHead(405).end()
      const { id, method, params } = JSON.parse(text) as {
        id?: number
        method: string
        params?: { protocolVersion?: string; arguments?: { text: string } }
      }
      const results: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'web', version: '1' },
        },
        'tools/list': list,
        'tools/call': {
          content: [{ type: 'text', text: `${params?.arguments?.text} with ${request.headers['x-key']}` }],
        },
      }
      if (id === undefined) return answer.writeHead(202).end()
      const result = results[method]
      const body = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }
      return answer.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

describe('an MCP server file', () => {
  it('uses the same format as other agents', () => {
    const text = '{"mcpServers":{"a":{"command":"x","args":["y"]},"b":{"type":"http","url":"https://h/mcp"}}}'
    expect(readMcpConfig(text, 'mcp.json')).toMatchObject({ a: { command: 'x' }, b: { url: 'https://h/mcp' } })
  })

  it.each([
    ['{', 'is not valid JSON'],
    ['{"servers":{}}', 'is invalid'],
    ['{"mcpServers":{"a__b":{"command":"x"}}}', 'is invalid'],
    ['{"mcpServers":{"a":{"command":"x","shell":true}}}', '`mcpServers.a` is invalid'],
    ['{"mcpServers":{"a":{"url":"file:///x"}}}', 'is invalid'],
  ])('is refused as a whole: %s', (text, message) => {
    expect(() => readMcpConfig(text, 'mcp.json')).toThrow(message)
  })
})
