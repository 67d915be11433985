import { type ChildProcess, spawn } from 'node:child_process'

/** A JSON-RPC message. */
export interface Rpc {
  readonly jsonrpc?: string
  readonly id?: string | number | null
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into what a server says without a schema
  readonly [member: string]: any
}

/** A process that exchanges lines of JSON: a server, or a proxy in front of one. */
export interface LinePeer {
  readonly child: ChildProcess
  /** All its messages so far. */
  readonly said: readonly Rpc[]
  stderr(): string
  /** Sends one message; strings and bytes are sent as they are, without a line end. */
  send(message: Rpc | string | Uint8Array): void
  /** Sends a request and waits for its response. */
  ask(message: Rpc): Promise<Rpc>
  /** The first matching message, past or future; rejects if the process exits without one. */
  until(fits: (message: Rpc) => boolean): Promise<Rpc>
  /** Called with every message. */
  listen(listener: (message: Rpc, line: string) => void): void
  /** Closes the input and waits for the exit. */
  end(): Promise<number | null>
  /** Resolves with the exit code when the process ends. */
  readonly ended: Promise<number | null>
}

/** How to start a process. */
export interface Command {
  readonly argv: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a process that exchanges lines. The caller ends it, for example by closing its input. */
export function startPeer({ argv, cwd, env }: Command): LinePeer {
  const [program = process.execPath, ...args] = argv
  const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['pipe', 'pipe', 'pipe'] })
  const { said, hear, end, until } = waitedFor()
  const listeners = new Set<(message: Rpc, line: string) => void>()
  let stderr = ''
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  let parts: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = chunk.split('\n')
    for (const [index, piece] of lines.entries()) {
      parts.push(piece)
      if (index === lines.length - 1) break
      const line = parts.join('')
      parts = []
      if (line.trim() === '') continue
      const message = JSON.parse(line) as Rpc
      hear(message)
      for (const listener of listeners) listener(message, line)
    }
  })
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (code) => {
      end(`the process ended without the message that was waited for: ${stderr.slice(-2000)}`)
      resolve(code)
    })
  })

  function send(message: Rpc | string | Uint8Array): void {
    if (typeof message === 'string' || message instanceof Uint8Array) child.stdin.write(message)
    else child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  return {
    child,
    said,
    stderr: () => stderr,
    send,
    ask(message) {
      send(message)
      return until((one) => one.id === message.id && one.method === undefined)
    },
    until,
    listen: (listener) => void listeners.add(listener),
    end() {
      child.stdin.end()
      return ended
    },
    ended,
  }
}

/** The `initialize` request of a client of the older protocol version. */
export function firstMessage(capabilities: object = {}, name = 'test-client') {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name, version: '1' } }
  return { id: 'init', method: 'initialize', params }
}

/** Initializes as a client of the older protocol version. */
export async function initialize(peer: LinePeer, capabilities: object = {}, name = 'test-client'): Promise<void> {
  await peer.ask(firstMessage(capabilities, name))
  peer.send({ method: 'notifications/initialized' })
}

/** Received messages, and waiters for future ones. */
export function waitedFor() {
  const said: Rpc[] = []
  const waiting = new Set<() => void>()
  let over: string | null = null
  const lookAgain = (): void => {
    for (const look of waiting) look()
  }
  return {
    said: said as readonly Rpc[],
    hear(message: Rpc): void {
      said.push(message)
      lookAgain()
    },
    /** No more messages will come: rejects the remaining waiters. */
    end(why: string): void {
      over = why
      lookAgain()
    },
    until(fits: (message: Rpc) => boolean): Promise<Rpc> {
      let seen = 0
      return new Promise((resolve, reject) => {
        const look = (): void => {
          for (; seen < said.length; seen += 1) {
            const message = said[seen]
            if (message === undefined || !fits(message)) continue
            waiting.delete(look)
            resolve(message)
            return
          }
          if (over === null) return
          waiting.delete(look)
          reject(new Error(over))
        }
        waiting.add(look)
        look()
      })
    },
  }
}
