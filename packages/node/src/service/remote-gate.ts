import { type Call, CountersignError, type Outcome, type Refusal } from '@countersign/core'
import { createDeadlines } from '../system/deadline-timer.ts'
import { asCode, type ConnectOptions, dialService, goneError, greetService } from './dial.ts'
import { createLineReader } from './line-reader.ts'
import {
  type AskerLine,
  MAX_LINE_BYTES,
  type RemotePermit,
  type RemoteTicket,
  type ServiceLine,
} from './wire-protocol.ts'

/** How long the service may take to answer a line, or to report that a person must decide. */
const UNHELD_MS = 120_000
/** How much later than its own deadline an answer may come. */
const SLACK_MS = 10_000
/** Of one character of a string. */
const MOST_UTF8_BYTES = 3

/**
 * The asking side of a gate in another process: the same contract, over its socket. `ask` and `wait` never throw: a
 * service that is gone, or that stopped answering, is a refusal.
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
  readonly onHeld: AskOptions['onHeld']
  /** When it is given up, as `performance.now()` counts. */
  until: number
}

/** Connects to a running service. Throws CS_SERVICE when none is running, or when its protocol version differs. */
export async function connectGate(options: ConnectOptions): Promise<RemoteGate> {
  const dialled = await dialService(options)
  const { socket } = dialled
  const pending = new Map<number, Pending>()
  let last = 0
  let gone: CountersignError | undefined

  /** INVARIANT: L3, a service that is gone has allowed nothing: everything that waits is refused. */
  function lose(error: CountersignError): void {
    if (gone !== undefined) return
    gone = error
    deadlines.stop()
    for (const id of [...pending.keys()]) take(id)?.fail(error)
    socket.destroy()
  }

  /** What waits for the answer of this id, which is over now. */
  function take(id: number): Pending | undefined {
    const one = pending.get(id)
    pending.delete(id)
    return one
  }

  /** SECURITY: A4, whoever asks keeps the deadline itself: a service that is frozen or stuck has allowed nothing. */
  const deadlines = createDeadlines((now) => {
    let soonest = Infinity
    for (const [id, { until }] of pending) {
      if (!(until > now)) take(id)?.fail(lateError())
      else soonest = Math.min(soonest, until)
    }
    return soonest
  })

  /** `line` is all of it but its number. */
  function send(line: Unnumbered<AskerLine>, onHeld?: AskOptions['onHeld'], patienceMs = UNHELD_MS) {
    last += 1
    const id = last
    const answer = new Promise<ServiceLine>((settle, fail) => {
      if (gone !== undefined) return fail(gone)
      const text = `{"id":${id},${JSON.stringify(line).slice(1)}\n`
      if (text.length * MOST_UTF8_BYTES > MAX_LINE_BYTES && Buffer.byteLength(text) - 1 > MAX_LINE_BYTES)
        throw new CountersignError('CS_CALL_TOO_LARGE', 'the call is larger than 1 MiB; pass large data in a file')
      const until = deadlines.within(Math.min(patienceMs, UNHELD_MS) + SLACK_MS)
      pending.set(id, { settle, fail, onHeld, until })
      socket.write(text)
    })
    return { id, answer }
  }

  function hear(line: ServiceLine): void {
    if (!('id' in line) || line.id === null) {
      if ('error' in line) lose(new CountersignError(asCode(line.error.code), line.error.message))
      return
    }
    if ('held' in line) {
      hearHeld(line)
      return
    }
    const one = take(line.id)
    // INVARIANT: L7, a permit that nobody waits for any more is not used; but it was given, so its end is told.
    if (one === undefined) {
      if ('permit' in line) settleLate(line.permit)
    } else if ('error' in line) one.fail(new CountersignError(asCode(line.error.code), line.error.message))
    else one.settle(line)
  }

  function hearHeld({ id, held }: Extract<ServiceLine, { readonly held: unknown }>): void {
    const one = pending.get(id)
    if (one === undefined) return
    one.until = deadlines.within(Math.max(0, held.expiresAt - Date.now()) + SLACK_MS)
    try {
      one.onHeld?.(held)
    } catch {
      // Whoever is told and fails at it has not broken the connection.
    }
  }

  function settleLate({ callId }: RemotePermit): void {
    const detail = 'the caller stopped waiting'
    send({ do: 'settle', callId, outcome: 'unknown', detail }).answer.catch(() => {}) // then the next sweep records it
  }

  const hello = await greetService(dialled, options)
  const read = createLineReader(MAX_LINE_BYTES * 4)
  dialled.hear = (chunk) => {
    try {
      for (const text of read(chunk)) hear(JSON.parse(text) as ServiceLine)
    } catch {
      lose(new CountersignError('CS_SERVICE', 'the service sent an invalid response; restart it'))
    }
  }
  socket.on('error', () => lose(goneError()))
  socket.on('close', () => lose(goneError()))
  socket.resume()

  async function decided(line: Unnumbered<AskerLine>, { signal, onHeld }: AskOptions = {}) {
    const { id, answer } = send(line, onHeld, 'call' in line ? line.call.timeoutMs : undefined)
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
      cancel() // for an answer that came it does nothing; one that did not come is taken back
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

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

/** A call as it travels: what is code stays here. */
function plain({ describe: _, preview: __, ...call }: Call): Call {
  return call
}

/** INVARIANT: L3, a call without an answer is refused, with a message that a model can act on. */
function refusalOf(error: unknown, callId: string): Refusal {
  const { code, message } = error instanceof CountersignError ? error : unexpected()
  return { kind: 'refusal', callId, outcome: 'refused', code, message, reason: null, rule: null }
}

function callIdOf(line: Unnumbered<AskerLine>): string {
  return 'call' in line ? (line.call.id ?? '') : 'callId' in line ? line.callId : ''
}

function lateError(): CountersignError {
  return new CountersignError(
    'CS_SERVICE_GONE',
    'the service did not answer by the deadline; nothing was allowed: see `countersign status` and ask again',
  )
}

function unexpected(): CountersignError {
  return new CountersignError('CS_SERVICE', 'the service sent an unexpected answer; update both sides')
}
