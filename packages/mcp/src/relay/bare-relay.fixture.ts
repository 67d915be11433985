import { PassThrough, Writable } from 'node:stream'
import type { Gatekeeper } from '../gatekeeper/call/exchange.ts'
import type { Malformed } from '../wire/message.ts'
import { type Relay, startRelay } from './relay.ts'
import type { LinkListener } from './server-link.ts'

/** A relay without processes: the test controls both ends, and everything passes. */
export interface BareRelay {
  readonly relay: Relay
  readonly input: PassThrough
  /** The client's messages so far. */
  read(): string
  /** The client reads what is queued, and keeps reading. */
  drain(): void
  /** The server's messages so far. */
  readonly sent: string[]
  /** The requests made on the link to the server. */
  readonly asked: ('pause' | 'resume' | 'end' | 'stop')[]
  readonly refused: string[]
  readonly server: LinkListener
  says(message: object | string): void
}

export interface BareOptions {
  readonly lingerMs?: number
  /** Whether the client reads its messages. */
  readonly reads?: boolean
  /** Whether the server accepts its messages. */
  readonly takes?: boolean
  /** Whether the server ends as soon as its input is closed. */
  readonly endsAtOnce?: boolean
  readonly gatekeeper?: Partial<Gatekeeper>
}

export function openBareRelay(given: BareOptions = {}): BareRelay {
  const { reads = true, takes = true, endsAtOnce = false, gatekeeper, ...options } = given
  const input = new PassThrough()
  const written: string[] = []
  let release: (() => void) | null = null
  let isReading = reads
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString('utf8'))
      if (isReading) done()
      else release = done
    },
  })
  const sent: string[] = []
  const asked: BareRelay['asked'] = []
  const refused: string[] = []
  const heard: LinkListener[] = []
  const note = ({ message }: Malformed): void => void refused.push(message)
  const relay = startRelay({
    input,
    output,
    maxLineBytes: 1024 * 1024,
    ...options,
    link: {
      start: (listener) => void heard.push(listener),
      send(messages) {
        for (const message of messages) sent.push(message.toString('utf8'))
        return takes
      },
      end() {
        asked.push('end')
        if (endsAtOnce) heard[0]?.ended({ exitCode: null, why: 'the connection was closed' })
      },
      pause: () => void asked.push('pause'),
      resume: () => void asked.push('resume'),
      async stop() {
        asked.push('stop')
      },
    },
    gatekeeper: {
      fromClient(message) {
        if (message.kind !== 'malformed') return { kind: 'forward', bytes: message.bytes }
        note(message)
        return { kind: 'answer', bytes: Buffer.from(`{"refused":${JSON.stringify(message.message)}}`) }
      },
      fromServer(message) {
        if (message.kind !== 'malformed') return { kind: 'forward', bytes: message.bytes }
        note(message)
        return { kind: 'drop' }
      },
      isAwaited: false,
      close: () => Promise.resolve(),
      ...gatekeeper,
    },
  })
  const [server] = heard
  if (server === undefined) throw new Error('the relay listens to no server')
  return {
    relay,
    input,
    read: () => written.join(''),
    drain() {
      isReading = true
      release?.()
    },
    sent,
    asked,
    refused,
    server,
    says(message) {
      const line = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })
      server.messages([Buffer.from(line)])
    },
  }
}

/** Lets all pending work happen. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
