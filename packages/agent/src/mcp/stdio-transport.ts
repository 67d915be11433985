import { type ChildProcess, spawn } from 'node:child_process'
import { basename } from 'node:path'
import { createLineReader, endGroup, INSIDE } from '@countersign/node'
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { McpServer } from './config.ts'

const MAX_LINE = 10 * 1024 * 1024
const MAX_STDERR = 2_000
const GRACE_MS = 2_000

/**
 * A server process in its own session. SECURITY: A5 without a controlling terminal it cannot type into a prompt;
 * closing ends its whole process group, including what a wrapper like `npx` started.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: Extract<McpServer, { command: string }>
  readonly #cwd: string
  #child: ChildProcess | null = null
  #closed = false
  #closing: Promise<void> | null = null
  #stderr = ''

  constructor(server: Extract<McpServer, { command: string }>, cwd: string) {
    this.#server = server
    this.#cwd = cwd
  }

  /** The end of the server’s stderr. */
  get stderr(): string {
    return this.#stderr
  }

  start(): Promise<void> {
    const { command, args = [], env = {}, cwd = this.#cwd } = this.#server
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...args], {
        cwd,
        env: { ...getDefaultEnvironment(), ...env, [INSIDE]: `mcp ${basename(command)}` },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      })
      this.#child = child
      const read = createLineReader(MAX_LINE)
      child.once('spawn', resolve)
      child.on('error', (error) => {
        reject(error)
        this.#end()
      })
      child.stdin.on('error', () => {}) // it went away; `exit` says so
      child.stdout.on('data', (chunk: Buffer) => this.#take(() => read(chunk)))
      child.stderr.on('data', (chunk: Buffer) => {
        this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-MAX_STDERR)
      })
      child.once('exit', () => {
        this.#end()
        // What it started does not outlive it.
        if (child.pid !== undefined) void endGroup(child.pid, GRACE_MS)
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === null || stdin === undefined || this.#closed) return Promise.reject(new Error('the server is gone'))
    return new Promise((resolve, reject) =>
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    )
  }

  /** The same end for everyone who asks for it: the client closes without waiting, whoever reads `stderr` waits. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const child = this.#child
    this.#end()
    if (child?.pid === undefined) return
    child.stdin?.end()
    // Its last words may still be on their way; a process that left the group could keep the pipe open.
    const drained = new Promise<void>((resolve) => {
      if (child.stderr === null || child.stderr.readableEnded || child.stderr.destroyed) resolve()
      else child.stderr.once('close', resolve)
      setTimeout(resolve, GRACE_MS).unref()
    })
    await endGroup(child.pid, GRACE_MS)
    await drained
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }

  /** A line that is not a message is reported and skipped; an endless one closes the server. */
  #take(read: () => readonly string[]): void {
    let lines: readonly string[]
    try {
      lines = read()
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    for (const line of lines) {
      if (line.trim() === '') continue
      try {
        this.onmessage?.(deserializeMessage(line))
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
  }
}
