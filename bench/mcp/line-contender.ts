import { spawn } from 'node:child_process'
import { checkAnswer, FIRST_WORDS, type McpContender } from './contender.ts'

/** A command that exchanges lines, with a stdio client that counts lines instead of parsing them. */
export async function startLines(
  name: string,
  argv: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<McpContender> {
  const [program = '', ...args] = argv
  const start = performance.now()
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const waiting: (() => void)[] = []
  let last = ''
  child.stdin.on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.length < 1024) last = chunk.toString('utf8')
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) waiting.shift()?.()
  })
  let id = 0
  function ask(method: string, params: object): Promise<void> {
    id += 1
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise((resolve) => waiting.push(resolve))
  }
  await Promise.race([
    ask('initialize', FIRST_WORDS),
    closed.then(() => Promise.reject(new Error(`${name} ended before it answered`))),
  ])
  const startMs = performance.now() - start
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  await ask('tools/list', {})
  await ask('tools/call', { name: 'process_text', arguments: { message: 'is it there?' } })
  checkAnswer(name, last)
  return {
    name,
    pid: child.pid,
    startMs,
    call: (given, tool = 'read_text') => ask('tools/call', { name: tool, arguments: given }),
    async close() {
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await closed
      clearTimeout(late)
    },
  }
}
