import { type Call, CountersignError, type Outcome, type Refusal } from '@countersign/core'
import {
  type AskerLine,
  MAX_LINE_BYTES,
  type RemotePermit,
  type RemoteTicket,
  type ServiceLine,
} from './asking-wire.ts'
import { asCode, type ConnectOptions, dialService, goneError, greetService } from './dial-service.ts'
import { createLineReader } from './line-reader.ts'

/**
 * The asking side of a gate in another process: the same contract, over its socket. `ask` and `wait` never throw: a
 * service that is gone is a refusal.
 */
export interface RemoteGate {
  readonly session: string
  ask(call: Call, options?: AskOptions): Promise<RemotePermit | Refusal>
  submit(call: Call): Promise<RemoteTicket>
  wait(ticket: RemoteTicket, options?: AskOptions): Promise<RemotePermit | Refusal>
  withdraw(ticket: RemoteTicket): Promise<void>
  settle(permit: Pick<RemotePermit, 'callId'>, outcome: Outcome, detail?: string): Promise<void>
  isConfirmationRequired(call: Call): Promise<boolean>
  close(): void
}

/** How one call is asked for. */
export interface AskOptions {
  readonly signal?: AbortSignal
  /** Told once when the call waits for a person. */
  readonly onHeld?: (held: { readonly callId: string; readonly expiresAt: number }) => void
}

interface Pending {
  readonly settle: (line: ServiceLine) => void
  readonly fail: (error: CountersignError) => void
  readonly onHeld?: AskOptions['onHeld']
}

/** Connects to a running service. Throws CS_SERVICE when there is none, or when it speaks another version. */
export async function connectGate(options: ConnectOptions): Promise<RemoteGate> {
  const socket = await dialService(options)
  const pending = new Map<number, Pending>()
  let last = 0
  let gone: CountersignError | undefined

  /** INVARIANT: L3, a service that is gone has allowed nothing: everything that waits is refused. */
  function lose(error: CountersignError): void {
    if (gone !== undefined) return
    gone = error
    for (const one of pending.values()) one.fail(error)
    pending.clear()
    socket.destroy()
  }

  function send(line: DistributiveOmit<AskerLine, 'id'>, onHeld?: AskOptions['onHeld']) {
    last += 1
    const id = last
    const answer = new Promise<ServiceLine>((settle, fail) => {
      if (gone !== undefined) return fail(gone)
      pending.set(id, { settle, fail, ...(onHeld === undefined ? {} : { onHeld }) })
      const text = JSON.stringify({ id, ...line })
      if (Buffer.byteLength(text) > MAX_LINE_BYTES) {
        pending.delete(id)
        fail(new CountersignError('CS_CALL_TOO_LARGE', 'the call is larger than 1 MiB; pass large data in a file'))
      } else socket.write(`${text}\n`)
    })
    return { id, answer }
  }

  function hear(line: ServiceLine): void {
    if (!('id' in line) || line.id === null) {
      if ('error' in line) lose(new CountersignError(asCode(line.error.code), line.error.message))
      return
    }
    const one = pending.get(line.id)
    if (one === undefined) return
    if ('held' in line) {
      one.onHeld?.(line.held)
      return
    }
    pending.delete(line.id)
    if ('error' in line) one.fail(new CountersignError(asCode(line.error.code), line.error.message))
    else one.settle(line)
  }

  const hello = await greetService(socket, options)
  const read = createLineReader(MAX_LINE_BYTES * 4)
  socket.on('data', (chunk) => {
    try {
      for (const text of read(chunk)) hear(JSON.parse(text) as ServiceLine)
    } catch {
      lose(new CountersignError('CS_SERVICE', 'the service answered something that is no line; restart it'))
    }
  })
  socket.on('error', () => lose(goneError()))
  socket.on('close', () => lose(goneError()))
  socket.resume()

  async function decided(line: DistributiveOmit<AskerLine, 'id'>, { signal, onHeld }: AskOptions = {}) {
    const { id, answer } = send(line, onHeld)
    const cancel = () => {
      if (gone === undefined) send({ do: 'cancel', of: id }).answer.catch(() => {})
    }
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const found = await answer
      if ('permit' in found) return found.permit
      if ('refusal' in found) return found.refusal
      throw unexpected()
    } catch (error) {
      return refusalOf(error, callIdOf(line))
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    session: hello.session,
    ask: (call, about) => decided({ do: 'ask', call: plain(call) }, about),
    wait: ({ callId, key }, about) => decided({ do: 'wait', callId, key }, about),
    async submit(call) {
      const found = await send({ do: 'submit', call: plain(call) }).answer
      if ('ticket' in found) return found.ticket
      throw unexpected()
    },
    async withdraw({ callId, key }) {
      await send({ do: 'withdraw', callId, key }).answer
    },
    async settle({ callId }, outcome, detail) {
      await send({ do: 'settle', callId, outcome, ...(detail === undefined ? {} : { detail }) }).answer
    },
    async isConfirmationRequired(call) {
      const found = await send({ do: 'required', call: plain(call) }).answer
      return !('required' in found) || found.required
    },
    close() {
      lose(new CountersignError('CS_SERVICE_GONE', 'the connection was closed; connect again'))
    },
  }
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

/** A call as it travels: what is code stays here. */
function plain({ describe: _, preview: __, ...call }: Call): Call {
  return call
}

/** INVARIANT: L3, an ask that got no answer is refused, in words a model can act on. */
function refusalOf(error: unknown, callId: string): Refusal {
  const { code, message } = error instanceof CountersignError ? error : unexpected()
  return { kind: 'refusal', callId, outcome: 'refused', code, message, reason: null, rule: null }
}

function callIdOf(line: DistributiveOmit<AskerLine, 'id'>): string {
  return 'call' in line ? (line.call.id ?? '') : 'callId' in line ? line.callId : ''
}

function unexpected(): CountersignError {
  return new CountersignError('CS_SERVICE', 'the service gave another answer than was asked for; update both sides')
}
