/** A small stdio MCP server for tests: it echoes its messages and follows their instructions. Run as a program. */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** The path of this program. */
export const SMALL_SERVER = import.meta.filename

interface Rpc {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
  readonly error?: unknown
}

const TOOLS = [
  'get_note',
  'write_note',
  'fail',
  'error',
  'hang',
  'die',
  'ask_client',
  'report',
  'wants_input',
  'twice',
  'as_task',
]

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const text = (words: string): object => ({ content: [{ type: 'text', text: words }] })
let waitingForClient: unknown

/** The answer to a call; undefined if it is not answered now. */
function call(id: unknown, params: NonNullable<Rpc['params']>): object | undefined {
  const args = (params['arguments'] ?? {}) as { readonly text?: string }
  switch (params['name']) {
    case 'write_note':
      appendFileSync(process.env['NOTES'] ?? 'notes.txt', `${args.text}\n`)
      return { result: text(`wrote ${args.text}`) }
    case 'fail':
      return { result: { ...text('it went wrong'), isError: true } }
    case 'error':
      return { error: { code: -32000, message: 'no such thing' } }
    case 'hang':
      return undefined
    case 'die':
      return process.exit(3)
    case 'ask_client':
      waitingForClient = id
      send({ id: 'from-server', method: 'sampling/createMessage', params: { maxTokens: 1 } })
      return undefined
    case 'report': {
      const meta = (params['_meta'] ?? {}) as { readonly progressToken?: unknown }
      send({ method: 'notifications/progress', params: { progressToken: meta.progressToken, progress: 0 } })
      return { result: text('reported') }
    }
    case 'wants_input': {
      if (params['inputResponses'] !== undefined) return { result: { ...text('thanks'), resultType: 'complete' } }
      const inputRequests = { name: { method: 'elicitation/create', params: { mode: 'form', message: 'who?' } } }
      return { result: { resultType: 'input_required', inputRequests, requestState: 'state-1' } }
    }
    case 'twice':
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"isError":true,"isError":false}}\n`)
      return undefined
    case 'as_task':
      return { result: { task: { taskId: 't1', status: 'working' } } }
    default:
      return { result: text(String(args.text)) }
  }
}

function take(message: Rpc): void {
  const { id, method, params = {} } = message
  if (method === undefined) {
    if (id === 'from-server')
      send({ id: waitingForClient, result: text(JSON.stringify(message.result ?? message.error)) })
    return
  }
  if (id === undefined) {
    if (method === 'say') process.stdout.write(`${params['bytes'] as string}\n`)
    return
  }
  const answer = answerTo(id, method, params)
  if (answer !== undefined) send({ id, ...answer })
}

function answerTo(id: unknown, method: string, params: NonNullable<Rpc['params']>): object | undefined {
  switch (method) {
    case 'initialize':
      return { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } }
    case 'tools/list': {
      const tools = TOOLS.map((name) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } }))
      return { result: { tools } }
    }
    case 'tools/call':
      return call(id, params)
    default:
      return { result: { method, params } }
  }
}

if (process.argv[1] === SMALL_SERVER) {
  createInterface({ input: process.stdin, terminal: false }).on('line', (line) => {
    appendFileSync(process.env['SEEN'] ?? 'seen.jsonl', `${line}\n`)
    take(JSON.parse(line) as Rpc)
  })
}
