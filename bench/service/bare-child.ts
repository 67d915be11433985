/**
 * The least a service could do, in a process of its own: bytes in, inserts, bytes out. It reads nothing, checks nothing.
 * Run as: node --conditions=source bare-child.ts <folder>
 */
import { randomBytes } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { BareStore } from '../gate/bare-store.ts'
import type { Transaction } from '../gate/recorded-writes.ts'

/** How the next lines are answered. */
export interface BareTask {
  readonly transactions: readonly Transaction[]
  readonly id: string
  /** Which transactions belong to which line, line by line and then from the start: `[0, 1], [1, 2]`. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly reply: string }[]
  /** `line`: answered with the step's reply. `event`: that goes to the stream. `clock`: with the time, a moment later. */
  readonly answer: 'line' | 'event' | 'clock'
}

const PARKED_MS = 1
const folder = process.argv[2] ?? ''
const socketPath = join(folder, 'bare.sock')
const streams = new Set<ServerResponse>()
let task: BareTask | undefined
let store: BareStore | undefined
let at = 0
let stores = 0

const asking = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {})
  socket.on('data', () => {
    if (task === undefined) return
    if (task.answer === 'clock') {
      const [step] = task.steps
      setTimeout(() => socket.write(`${process.hrtime.bigint()} ${step?.reply}\n`), PARKED_MS)
      return
    }
    const step = task.steps[at % task.steps.length]
    if (step === undefined) return
    at += 1
    store?.repeat(step.from, step.to)
    if (task.answer === 'line') socket.write(step.reply)
    else for (const stream of streams) stream.write(step.reply)
    if (at % task.steps.length === 0) finish(step.to)
  })
})

/** What the life of a call has beyond the steps, and the next one's values: between operations, not in them. */
function finish(to: number): void {
  store?.repeat(to)
  store?.prepare(randomBytes(16).toString('hex'))
}

const streaming = createHttpServer({ noDelay: true }, (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: snapshot\ndata: {}\n\n')
  streams.add(response)
})

process.on('message', async (given: BareTask) => {
  store?.close()
  stores += 1
  store =
    given.transactions.length === 0
      ? undefined
      : await BareStore.open(join(folder, `bare-${stores}/store.db`), given.transactions, given.id)
  store?.prepare(randomBytes(16).toString('hex'))
  task = given
  at = 0
  process.send?.({ ready: true })
})
process.on('disconnect', () => process.exit(1))

await new Promise<void>((resolve) => asking.listen(socketPath, resolve))
await new Promise<void>((resolve) => streaming.listen(0, '127.0.0.1', resolve))
process.send?.({ socket: socketPath, port: (streaming.address() as AddressInfo).port })
