import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Answer, Dialect, ModelRequest, NextTurn, Script, ServerEvent, ToolResult } from './turn.ts'

const DIALECTS: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, gemini]

/** A request as it arrived, for the diagnosis of a failed run. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A model on loopback that answers from a script, and a proxy that refuses every other connection. */
export interface StandInModel {
  readonly origin: string
  readonly requests: readonly SeenRequest[]
  /** The tool results that reached the model, each once. */
  readonly toolResults: readonly ToolResult[]
  /** Tools that the host offered to the model. */
  readonly tools: ReadonlySet<string>
  /** Hosts outside of loopback that a program tried to reach. */
  readonly refusedHosts: ReadonlySet<string>
  /** Whether the main conversation has received its last answer. */
  readonly isFinished: boolean
  close(): Promise<void>
}

const LAST_WORDS = 'All steps are done.'
const SIDE_ANSWER = 'ok'

/** The main script answers every conversation that offers tools and that no other script is about. */
export async function openStandInModel(
  turns: readonly NextTurn[],
  others: readonly Script[] = [],
): Promise<StandInModel> {
  const requests: SeenRequest[] = []
  const results = new Map<string, ToolResult>()
  const tools = new Set<string>()
  const refusedHosts = new Set<string>()
  let isFinished = false

  /** The answer depends only on the conversation so far, so that a retried request gets the same one. */
  const answerTo = (request: ModelRequest): Pick<Answer, 'id' | 'text' | 'calls'> => {
    if (request.tools.length === 0) return { id: 'side', text: SIDE_ANSWER, calls: [] }
    const at = others.findIndex(({ about }) => request.opening.includes(about))
    const script = others[at]?.turns ?? turns
    const next = script[request.answered]
    const turn = typeof next === 'function' ? next(request.results) : next
    if (at === -1 && request.answered >= script.length - 1 && turn?.calls === undefined) isFinished = true
    const id = `${at === -1 ? 'main' : `other${at}`}_${request.answered}`
    const calls = (turn?.calls ?? []).map((call, index) => ({ ...call, id: `call_${id}_${index}` }))
    return { id, text: turn?.text ?? (calls.length > 0 ? '' : LAST_WORDS), calls }
  }

  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
      requests.push({ method: incoming.method ?? '', path: `${url.pathname}${url.search}`, body })
      if (incoming.url?.startsWith('http') === true && !isLoopback(url.hostname)) {
        refusedHosts.add(url.hostname)
        response.writeHead(403).end()
        return
      }
      const dialect = DIALECTS.find(({ path }) => path.test(url.pathname))
      if (dialect === undefined || incoming.method !== 'POST') {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
        return
      }
      const parsed: unknown = JSON.parse(body)
      const request = dialect.read(parsed)
      for (const tool of request.tools) tools.add(tool)
      for (const result of request.results) if (!results.has(result.callId)) results.set(result.callId, result)
      send(response, dialect, { ...answerTo(request), ...dialect.wants(url, parsed) })
    })
  })
  server.on('connect', (incoming, socket) => {
    refusedHosts.add((incoming.url ?? '').replace(/:\d+$/, ''))
    // The client may hang up first.
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    tools,
    refusedHosts,
    get toolResults() {
      return [...results.values()]
    },
    get isFinished() {
      return isFinished
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const isLoopback = (host: string): boolean => /^(127\.|localhost$|\[?::1\]?$)/.test(host)

function send(response: ServerResponse, dialect: Dialect, answer: Answer): void {
  if (!answer.stream) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(dialect.whole(answer)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of dialect.events(answer)) response.write(lines(event))
  response.end()
}

function lines({ name, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
