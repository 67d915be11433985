import { spawn } from 'node:child_process'
import { Agent, type IncomingMessage, request as post } from 'node:http'
import { createServer } from 'node:net'
import { checkAnswer, FIRST_WORDS, type McpContender } from './contender.ts'

const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A free port, for programs that cannot ask the system for one. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** A command that listens for HTTP: at the URL it prints, or at a given port. */
export async function startHttp(
  name: string,
  argv: readonly string[],
  options: { readonly url?: string; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<McpContender & { readonly url: string }> {
  const [program = '', ...args] = argv
  const { url: given, ...rest } = options
  const start = performance.now()
  const child = spawn(program, args, { ...rest, stdio: ['pipe', 'pipe', 'pipe'] })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = given ?? (await addressOf(child.stdout, child.stderr, closed))
  child.stdout.resume()
  child.stderr.resume()
  const agent = new Agent({ keepAlive: true })
  let session: { readonly 'mcp-session-id'?: string } = {}
  let id = 0
  let last = ''

  function send(message: object): Promise<IncomingMessage> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const headers = {
      ...ACCEPT,
      ...session,
      'mcp-protocol-version': '2025-11-25',
      'content-length': Buffer.byteLength(body),
    }
    return new Promise((resolve, reject) => {
      const asked = post(url, { method: 'POST', agent, headers }, (answer) => {
        answer.on('data', (chunk: Buffer) => {
          if (chunk.length < 1024) last = chunk.toString('utf8')
        })
        answer.on('end', () => resolve(answer))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }
  async function ask(method: string, params: object): Promise<IncomingMessage> {
    id += 1
    const answer = await send({ id, method, params })
    if (answer.statusCode !== 200) throw new Error(`${name} answered ${method} with ${answer.statusCode}`)
    return answer
  }
  async function shakeHands(): Promise<void> {
    const answer = await ask('initialize', FIRST_WORDS)
    const given = answer.headers['mcp-session-id']
    session = typeof given === 'string' ? { 'mcp-session-id': given } : {}
  }

  // A program with a given port takes a moment to listen.
  for (let tries = 0; ; tries += 1) {
    const failed = await shakeHands().then(
      () => null,
      (error: unknown) => error,
    )
    if (failed === null) break
    if (given === undefined || tries > 600 || child.exitCode !== null) throw failed
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const startMs = performance.now() - start
  await send({ method: 'notifications/initialized' })
  await ask('tools/list', {})
  await ask('tools/call', { name: 'process_text', arguments: { message: 'is it there?' } })
  checkAnswer(name, last)
  return {
    name,
    url,
    pid: child.pid,
    startMs,
    call: async (args, tool = 'read_text') => void (await ask('tools/call', { name: tool, arguments: args })),
    async close() {
      agent.destroy()
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await closed
      clearTimeout(late)
    },
  }
}

function addressOf(
  stdout: NodeJS.ReadableStream,
  stderr: NodeJS.ReadableStream,
  closed: Promise<void>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    for (const stream of [stdout, stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString('utf8')
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(printed)?.[0]
        if (found !== undefined) resolve(found)
      })
    void closed.then(() => reject(new Error(`no address was said: ${printed}`)))
  })
}
