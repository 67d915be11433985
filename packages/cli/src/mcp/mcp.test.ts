import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SMALL_SERVER } from '../../../mcp/src/relay/small-server.fixture.ts'

const SERVER = [process.execPath, '--no-warnings', SMALL_SERVER]

/** The command in its own process, with a server that records its messages. */
function start(server: readonly string[] = SERVER) {
  const folder = temporaryFolder()
  const [home, work, seen] = [join(folder, 'home'), join(folder, 'work'), join(folder, 'seen')]
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(work)
  const rule = '{ id: small, tool: "small/get_note", supervision: automatic, up_to: high }'
  writeFileSync(join(home, 'policy.yaml'), `version: 1\nrules: [${rule}]\n`, { mode: 0o600 })
  const argv = [...COMMAND, 'mcp', '--home', home, '--name', 'small', '--', ...server]
  const child = spawn(process.execPath, argv, { cwd: work, env: { ...COMMAND_ENV, SEEN: seen }, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, seen: () => readFileSync(seen, 'utf8') }
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const exit = (child: ChildProcess) => new Promise<number | null>((resolve) => child.on('exit', resolve))

/** The output of a stream up to this text. */
function untilSaid(stream: NodeJS.ReadableStream, words: string): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes(words)) resolve(text)
    })
  })
}

describe('countersign mcp', () => {
  it('puts a server behind the gate, and ends with its client', async () => {
    const { child } = start()
    const ended = exit(child)
    const said = untilSaid(child.stdout, '"id":2')
    child.stdin.write(line({ id: 1, method: 'initialize', params: {} }))
    child.stdin.write(line({ id: 2, method: 'tools/call', params: { name: 'get_note', arguments: { text: 'hello' } } }))
    expect(await said).toContain('hello')
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it('reports which tool is held, and how to decide', async () => {
    const { child } = start()
    const ended = exit(child)
    const said = untilSaid(child.stderr, 'reject')
    child.stdin.write(line({ id: 1, method: 'initialize', params: {} }))
    child.stdin.write(line({ id: 2, method: 'tools/call', params: { name: 'write_note', arguments: { text: 'x' } } }))
    expect(await said).toMatch(
      /countersign: small\/write_note is held as (\w+): decide with `countersign approve \1 --home \S+` or `reject`/,
    )
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it('ends with its server when the client stops reading', async () => {
    const { child, seen } = start()
    const ended = exit(child)
    child.stdin.on('error', () => {})
    const said = untilSaid(child.stdout, '"id":1')
    child.stdin.write(line({ id: 1, method: 'initialize', params: {} }))
    await said
    child.stdout.destroy()
    const asking = setInterval(() => child.stdin.write(line({ id: Math.random(), method: 'ping' })), 20)
    expect(await ended).toBe(0)
    clearInterval(asking)
    expect(seen()).toContain('initialize')
  })

  it('reports that a server cannot be started, with a shell’s exit code', async () => {
    const { child } = start(['no-such-server-anywhere'])
    const said = untilSaid(child.stderr, 'was not found')
    expect(await exit(child)).toBe(127)
    expect(await said).toContain('no-such-server-anywhere')
  })
})
