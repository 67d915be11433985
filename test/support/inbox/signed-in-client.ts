import { Agent, type IncomingMessage, request } from 'node:http'
import type { Receipt, SignedDecision } from '@countersign/core'

/** One event of the stream, with its data as text. */
interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** A signed-in browser, from the service's point of view. */
export interface Browser {
  decide(signed: SignedDecision): Promise<{ readonly status: number; readonly receipt: Receipt }>
  /** The list of held calls: how many it has. */
  countHeld(): Promise<number>
  /** Opens the live stream; resolves after its snapshot. Without a listener, events are read and discarded. */
  stream(listener?: (event: StreamEvent) => void): Promise<void>
  close(): void
}

/** Signs in with a one-time link over a kept-alive connection. */
export async function openBrowser(port: number, link: string): Promise<Browser> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const streams: IncomingMessage[] = []
  let cookie = ''

  async function post(path: string, body: unknown): Promise<IncomingMessage> {
    return send({ method: 'POST', path, agent }, JSON.stringify(body))
  }

  function send(
    how: { readonly method: string; readonly path: string; readonly agent: Agent | false },
    body?: string,
  ): Promise<IncomingMessage> {
    const { method, agent: over } = how
    return new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        cookie,
        origin: `http://127.0.0.1:${port}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const sent = request({ host: '127.0.0.1', port, method, path: `/api/v1${how.path}`, agent: over, headers })
      sent.once('response', resolve)
      // The server closes idle connections; a browser then opens another.
      sent.once('error', (error) => (sent.reusedSocket ? resolve(send(how, body)) : reject(error)))
      sent.end(body)
    })
  }

  const entered = await post('/sign-in', { ticket: new URL(link).hash.slice('#ticket='.length) })
  cookie = entered.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  await textOf(entered)
  return {
    async decide(signed) {
      const answer = await post(`/held/${signed.held}/decision`, signed)
      return { status: answer.statusCode ?? 0, receipt: JSON.parse(await textOf(answer)) as Receipt }
    },
    async countHeld() {
      const answer = await send({ method: 'GET', path: '/held', agent })
      const { held } = JSON.parse(await textOf(answer)) as { readonly held: readonly unknown[] }
      return held.length
    },
    async stream(listener) {
      const answer = await send({ method: 'GET', path: '/stream', agent: false })
      streams.push(answer)
      answer.on('error', () => {}) // it ends with its service
      await readEvents(answer, listener)
    },
    close() {
      for (const stream of streams) stream.destroy()
      agent.destroy()
    },
  }
}

/** Reads server-sent events; resolves with the first. */
export function readEvents(stream: IncomingMessage, listener?: (event: StreamEvent) => void): Promise<void> {
  stream.setEncoding('utf8')
  return new Promise((resolve) => {
    let rest = ''
    stream.on('data', (text: string) => {
      resolve()
      if (listener === undefined) return
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) listener(eventOf(block))
    })
  })
}

function eventOf(block: string): StreamEvent {
  const fields = block.split('\n').map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
  const { id = '', event = '', data = '' } = Object.fromEntries(fields)
  return { id, event, data }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const chunk of answer) text += chunk
  return text
}
