import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tool call as a model writes it: the arguments are text, valid or not. */
export interface StandInCall {
  readonly id?: string
  readonly tool: string
  readonly args: object | string
}

/** The response to one request. */
export type StandInAnswer =
  | {
      readonly text?: string
      readonly thought?: string
      readonly calls?: readonly StandInCall[]
      readonly finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter'
      readonly tokens?: { readonly input: number; readonly output: number }
    }
  | { readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Starts to respond, then drops the connection. */
  | { readonly cutAfter: string }
  /** Ends cleanly, but without the marker of a complete response. */
  | { readonly endAfter: string }
  /** Raw lines of the stream. */
  | { readonly lines: readonly string[] }
  /** Starts to respond, then stalls. */
  | { readonly hangAfter: string }

/** A received request. */
export interface StandInRequest {
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly stream: boolean
    readonly messages: readonly {
      readonly role: string
      readonly content?: unknown
      readonly tool_call_id?: string
      readonly tool_calls?: readonly unknown[]
    }[]
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
  }
}

export interface StandIn {
  /** The base URL of an OpenAI-compatible endpoint. */
  readonly url: string
  readonly requests: readonly StandInRequest[]
  /** Requests whose client disconnected before the response was complete. */
  readonly abandoned: number
  close(): Promise<void>
}

type Answering = readonly StandInAnswer[] | ((request: StandInRequest, at: number) => StandInAnswer)

/**
 * A real loopback server for OpenAI's streaming chat completions: a test scripts the model's responses, and everything
 * between it and the loop is real. After the last response it reports that it has none left.
 */
export async function openStandIn(answers: Answering): Promise<StandIn> {
  const requests: StandInRequest[] = []
  let abandoned = 0
  const server = createServer((incoming, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandoned += 1
    })
    void readRequest(incoming).then((request) => {
      const at = requests.push(request) - 1
      const answer = typeof answers === 'function' ? answers(request, at) : (answers[at] ?? { text: 'done' })
      send(response, answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get abandoned() {
      return abandoned
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<StandInRequest> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  return { authorization: incoming.headers.authorization, body: JSON.parse(text) as StandInRequest['body'] }
}

function send(response: ServerResponse, answer: StandInAnswer): void {
  if ('status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify({ error: { message: answer.message ?? 'no', type: 'error', code: null } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('cutAfter' in answer) {
    response.write(event({ delta: { role: 'assistant', content: answer.cutAfter } }), () => response.destroy())
  } else if ('endAfter' in answer) {
    response.end(event({ delta: { role: 'assistant', content: answer.endAfter } }))
  } else if ('hangAfter' in answer) {
    response.write(event({ delta: { role: 'assistant', content: answer.hangAfter } }))
  } else if ('lines' in answer) {
    response.end(answer.lines.map((line) => `data: ${line}\n\n`).join(''))
  } else {
    for (const line of turnEvents(answer)) response.write(line)
    response.end('data: [DONE]\n\n')
  }
}

function turnEvents({
  text = '',
  thought = '',
  calls = [],
  finish,
  tokens = { input: 7, output: 3 },
}: Extract<StandInAnswer, { text?: string }>): readonly string[] {
  return [
    event({ delta: { role: 'assistant', content: '' } }),
    ...pieces(thought).map((piece) => event({ delta: { reasoning_content: piece } })),
    ...pieces(text).map((piece) => event({ delta: { content: piece } })),
    ...calls.flatMap(callEvents),
    event({ delta: {}, finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') }),
    line({ choices: [], usage: { prompt_tokens: tokens.input, completion_tokens: tokens.output } }),
  ]
}

/** Sends a call as providers do: the name first, then its arguments in fragments. */
function callEvents({ id, tool, args }: StandInCall, index: number): readonly string[] {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  const head = { index, id: id ?? `call_${tool}_${index}`, type: 'function', function: { name: tool, arguments: '' } }
  return [
    event({ delta: { tool_calls: [head] } }),
    ...pieces(text).map((piece) => event({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } })),
  ]
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,7}/gs) ?? []
}

function event(choice: object): string {
  return line({ choices: [{ index: 0, ...choice }] })
}

function line(body: object): string {
  return `data: ${JSON.stringify({ id: 'stand-in', object: 'chat.completion.chunk', created: 1, model: 'stand-in', ...body })}\n\n`
}
