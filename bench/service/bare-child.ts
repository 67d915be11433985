/**
 * The minimum a service could do, in its own process: bytes in, inserts, bytes out. It parses nothing and checks nothing
 * except a signature, if given one.
 * Run as: node --conditions=countersign-source bare-child.ts <folder>
 */
import { type KeyObject, randomBytes, verify } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { publicKeyObject } from '../../packages/node/src/keys/ed25519.ts'
import { BareStore } from '../gate/bare-store.ts'
import type { Transaction } from '../gate/recorded-writes.ts'

/** A signature to verify before the inserts. */
export interface BareSignature {
  readonly publicKey: string
  readonly message: string
  readonly signature: string
}

/** How the next lines are answered. */
export interface BareTask {
  readonly transactions: readonly Transaction[]
  readonly id: string
  /** The transactions of each line, in order and then repeated: `[0, 1], [1, 2]`. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly reply: string }[]
  /** `line`: sends the step's reply, after the time of receipt. `event`: sends it to the stream, numbered by that time. */
  readonly answer: 'line' | 'event'
  /** Transactions made in advance, before the first step: not part of the request. */
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
    if (task.signature !== undefined && !isSigned(task.signature)) throw new Error('invalid signature')
    store.repeat(step.from, step.to)
    if (task.answer === 'line') socket.write(`${heard} ${step.reply}`)
    else for (const stream of streams) stream.write(`id: ${process.hrtime.bigint()}\n${step.reply}`)
    if (at % task.steps.length === 0) setImmediate(finish, step.to) // after the reply was sent
  })
})

/** The remaining transactions of a call, and the next call's values: between operations, not within them. */
function finish(to: number): void {
  store?.repeat(to)
  begin()
}

function begin(): void {
  store?.prepare(randomBytes(16).toString('hex'))
  store?.repeat(0, task?.ahead ?? 0)
}

/** Its key is prepared once, like the keys that the gate knows. */
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
