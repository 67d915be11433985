/**
 * The least a service could do, in a process of its own: bytes in, inserts, bytes out. It reads nothing and checks nothing,
 * but for one signature where it is given one.
 * Run as: node --conditions=countersign-source bare-child.ts <folder>
 */
import { type KeyObject, randomBytes, verify } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { publicKeyObject } from '../../packages/node/src/keys/ed25519.ts'
import { BareStore } from '../gate/bare-store.ts'
import type { Transaction } from '../gate/recorded-writes.ts'

/** A signature to check before the inserts. */
export interface BareSignature {
  readonly publicKey: string
  readonly message: string
  readonly signature: string
}

/** How the next lines are answered. */
export interface BareTask {
  readonly transactions: readonly Transaction[]
  readonly id: string
  /** Which transactions belong to which line, line by line and then from the start: `[0, 1], [1, 2]`. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly reply: string }[]
  /** `line`: answered with the step's reply, after the time at which it was heard. `event`: that goes to the stream, numbered by the time. */
  readonly answer: 'line' | 'event'
  /** Transactions before the first step, done ahead of the line: they are no part of what it asks for. */
  readonly ahead?: number
  readonly signature?: BareSignature
}

const folder = process.argv[2] ?? ''
const socketPath = join(folder, 'bare.sock')
const streams = new Set<ServerResponse>()
let task: BareTask | undefined
let store: BareStore | undefined
let at = 0

const asking = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {})
  socket.on('data', () => {
    if (task === undefined || store === undefined) return
    const heard = process.hrtime.bigint()
    const step = task.steps[at % task.steps.length]
    if (step === undefined) return
    at += 1
    if (task.signature !== undefined && !isSigned(task.signature)) throw new Error('the signature does not fit')
    store.repeat(step.from, step.to)
    if (task.answer === 'line') socket.write(`${heard} ${step.reply}`)
    else for (const stream of streams) stream.write(`id: ${process.hrtime.bigint()}\n${step.reply}`)
    if (at % task.steps.length === 0) setImmediate(finish, step.to) // after what was written has left
  })
})

/** What the life of a call has beyond the steps, and the next one's values: between operations, not in them. */
function finish(to: number): void {
  store?.repeat(to)
  begin()
}

function begin(): void {
  store?.prepare(randomBytes(16).toString('hex'))
  store?.repeat(0, task?.ahead ?? 0)
}

/** Its key is made ready once, as the gate keeps those it knows. */
let key: KeyObject | undefined
function isSigned({ publicKey, message, signature }: BareSignature): boolean {
  key ??= publicKeyObject(Buffer.from(publicKey, 'base64'))
  return verify(null, Buffer.from(message, 'utf8'), key, Buffer.from(signature, 'base64'))
}

const streaming = createHttpServer({ noDelay: true }, (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: snapshot\ndata: {}\n\n')
  streams.add(response)
})

process.on('message', async (given: BareTask) => {
  store = await BareStore.open(join(folder, 'bare/store.db'), given.transactions, given.id)
  task = given
  begin()
  process.send?.({ ready: true })
})
process.on('disconnect', () => process.exit(1))

await new Promise<void>((resolve) => asking.listen(socketPath, resolve))
await new Promise<void>((resolve) => streaming.listen(0, '127.0.0.1', resolve))
process.send?.({ socket: socketPath, port: (streaming.address() as AddressInfo).port })
