import { CountersignError } from '@countersign/core'
import { createDeadlines } from '../system/deadline-timer.ts'
import { asCode, type DialOptions, dialService, goneError, greetService } from './dial.ts'
import { createLineReader } from './line-reader.ts'
import {
  type AskerLine,
  MAX_LINE_BYTES,
  type RemotePermit,
  type ServiceHello,
  type ServiceLine,
} from './wire-protocol.ts'

/** How long the service may take to answer a line, or to report that a person must decide. */
export const UNHELD_MS = 120_000
/** How much later than its own deadline an answer may come. */
export const SLACK_MS = 10_000
/** Of one character of a string. */
const MOST_UTF8_BYTES = 3

/** Until when a call is held. */
export interface Held {
  readonly callId: string
  readonly expiresAt: number
}

/** A line as its sender writes it: the connection numbers it. */
export type Unnumbered = AskerLine extends infer Line ? (Line extends unknown ? Omit<Line, 'id'> : never) : never

/** One open connection to a service that let this asker in. */
export interface ServiceConnection {
  readonly hello: ServiceHello
  /** Why it ended; undefined while it is open. */
  readonly lost: CountersignError | undefined
  /** The promise rejects with a CountersignError: of the service, of the deadline, or of the connection. */
  send(
    line: Unnumbered,
    onHeld?: (held: Held) => void,
    patienceMs?: number,
  ): { readonly id: number; readonly answer: Promise<ServiceLine> }
  /** Ends it: what still waits is refused for this reason. `goodbye` is sent before. */
  end(error: CountersignError, goodbye?: Unnumbered): void
}

interface Pending {
  readonly settle: (line: ServiceLine) => void
  readonly fail: (error: CountersignError) => void
  readonly onHeld: ((held: Held) => void) | undefined
  /** When it is given up, as `performance.now()` counts. */
  until: number
}

/** Opens a connection. Throws CS_SERVICE when no service is running, or when its protocol version differs. */
export async function openConnection(options: DialOptions): Promise<ServiceConnection> {
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

  function send(line: Unnumbered, onHeld?: (held: Held) => void, patienceMs = UNHELD_MS) {
    last += 1
    const id = last
    const answer = new Promise<ServiceLine>((settle, fail) => {
      if (gone !== undefined) return fail(gone)
      const text = numbered(line, id)
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

  return {
    hello,
    get lost() {
      return gone
    },
    send,
    end(error, goodbye) {
      if (gone !== undefined || goodbye === undefined) return lose(error)
      socket.end(numbered(goodbye, last + 1))
      socket.destroySoon()
      lose(error)
    },
  }
}

function numbered(line: Unnumbered, id: number): string {
  return `{"id":${id},${JSON.stringify(line).slice(1)}\n`
}

/** The error of a call whose deadline passed without an answer. */
export function lateError(): CountersignError {
  return new CountersignError(
    'CS_SERVICE_GONE',
    'the service did not answer by the deadline; nothing was allowed: see `countersign status` and ask again',
  )
}
