import { type Rpc, waitedFor } from './line-peer.ts'

/** An HTTP client of the older protocol version. */
export interface HttpClient {
  /** The response to `initialize`. */
  readonly opened: Rpc
  /** Sends a request and waits for its response; rejects if the connection breaks first. */
  ask(message: Rpc): Promise<Rpc>
  /** The first matching message, past or future, on any stream. */
  until(fits: (message: Rpc) => boolean): Promise<Rpc>
  /** Closes every connection. */
  close(): void
}

/** Opens a session at a URL, with a stream for messages from the server. */
export async function openHttpClient(url: string): Promise<HttpClient> {
  const gone = new AbortController()
  const { hear, until } = waitedFor()
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }

  async function post(message: Rpc): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const response = await fetch(url, { method: 'POST', headers, body, signal: gone.signal })
    const session = response.headers.get('mcp-session-id')
    if (session !== null) headers['mcp-session-id'] = session
    return response
  }

  async function ask(message: Rpc): Promise<Rpc> {
    for await (const said of messagesOf(await post(message))) {
      hear(said)
      if (said.id === message.id && said.method === undefined) return said
    }
    throw new Error('the stream ended without an answer')
  }

  async function listen(): Promise<void> {
    const response = await fetch(url, { headers, signal: gone.signal })
    void (async () => {
      for await (const said of messagesOf(response)) hear(said)
    })().catch(() => {})
  }

  const clientInfo = { name: 'test-client', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const opened = await ask({ id: 'init', method: 'initialize', params })
  if (opened['error'] === undefined) {
    await (await post({ method: 'notifications/initialized' })).text()
    await listen()
  }
  return { opened, ask, until, close: () => gone.abort() }
}

/** All messages of a response as they arrive. */
async function* messagesOf(response: Response): AsyncGenerator<Rpc> {
  if (!(response.headers.get('content-type') ?? '').includes('text/event-stream')) {
    yield (await response.json()) as Rpc
    return
  }
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
      if (data.length > 0) yield JSON.parse(data.join('\n')) as Rpc
    }
  }
}
