import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEvents } from '@countersign/testing/inbox/signed-in-client'
import type { BareTask } from './bare-child.ts'
import { startChild } from './child.ts'

/** A client of the bare process. */
export interface BarePeer {
  /** Writes a line; resolves with the response, on the socket or the stream as configured. */
  send(line: string): Promise<string>
  /** Opens its stream: from now on, events are the responses, matched by number. */
  stream(): Promise<void>
  close(): Promise<void>
}

/** Starts the bare process with one task. */
export async function startBare(task: BareTask): Promise<BarePeer> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const child = await startChild(
    join(import.meta.dirname, 'bare-child.ts'),
    [folder],
    ['--conditions=countersign-source'],
  )
  const { socket: path, port } = child.first as { readonly socket: string; readonly port: number }
  await child.ask(task)
  const socket = createConnection(path)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.setNoDelay(true)
  socket.setEncoding('utf8')
  let waiting: ((text: string) => void) | undefined
  let text = ''
  socket.on('data', (chunk: string) => {
    text += chunk
    if (!text.endsWith('\n')) return
    const whole = text
    text = ''
    waiting?.(whole)
  })
  let events: IncomingMessage | undefined
  return {
    send(line) {
      return new Promise((resolve) => {
        waiting = resolve
        socket.write(line)
      })
    },
    async stream() {
      const answer = await new Promise<IncomingMessage>((resolve) => get({ host: '127.0.0.1', port }, resolve))
      events = answer
      answer.on('error', () => {})
      await readEvents(answer, ({ id }) => waiting?.(id))
    },
    async close() {
      events?.destroy()
      socket.destroy()
      await child.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
