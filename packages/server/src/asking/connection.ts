import type { Duplex } from 'node:stream'
import { CountersignError } from '@countersign/core'
import { type AskerHello, createLineReader, MAX_LINE_BYTES, PROTOCOL, type ServiceLine } from '@countersign/node'
import { wordsOf } from '../wire/public-error.ts'
import { type Admitted, createAsker } from './client-session.ts'
import { readHello, readLine } from './message-parser.ts'

/** What a connection needs of the service. */
export interface AskingHost {
  readonly version: string
  /** The home's mark, see `homeMark`. */
  readonly home: string
  /** Files and folders of the running program. */
  readonly program: readonly string[]
  /** Checks the hello and opens a session for it. Throws when the asker may not come in. */
  admit(hello: AskerHello): Promise<Admitted>
  /** An asker tried something it may not: the journal hears of it. */
  report(message: string): void
  /** Resolves when it is the turn of a long line of this session. */
  turn(session: string | null): Promise<void>
  /** The asker of a session is gone: turns it waits for are dropped. The result ends that, once all its work has. */
  drop(session: string | null): () => void
}

/** Bytes that may wait for a slow reader before the connection is given up. */
const MAX_BACKLOG = 8 * MAX_LINE_BYTES
/** A longer line waits for its turn; of shorter ones, so much together is heard before others have theirs. */
const MAX_AT_ONCE = 16 * 1024
const HELLO_MS = 5_000
const GOODBYE_MS = 1_000

/**
 * Serves one asker until it goes away. INVARIANT: L8, nothing here can decide. A connection that ends withdraws what it
 * asked, and what it was allowed but never told the end of is recorded as unknown: at once, or where the asker can come
 * back, a while later.
 */
export async function serveAsker(stream: Duplex, host: AskingHost): Promise<void> {
  const read = createLineReader(MAX_LINE_BYTES)
  const late = setTimeout(() => drop('CS_PROTOCOL', 'no `hello` arrived in time; connect again'), HELLO_MS)
  let asker: ReturnType<typeof createAsker> | undefined
  let session: string | null = null

  function write(line: ServiceLine): void {
    if (!stream.writable) return
    stream.write(`${JSON.stringify(line)}\n`)
    if (stream.writableLength > MAX_BACKLOG) stream.destroy()
  }

  function drop(code: string, message: string): void {
    write({ id: null, error: { code, message } })
    hangUp()
  }

  /** Sends the last answers and closes, whether or not the other side does. */
  function hangUp(): void {
    if (stream.writableEnded) return
    const leaving = setTimeout(() => stream.destroy(), GOODBYE_MS)
    stream.end(() => {
      clearTimeout(leaving)
      stream.destroy()
    })
  }

  async function greet(text: string): Promise<void> {
    const hello = readHello(text)
    if (hello.protocol !== PROTOCOL)
      throw new CountersignError('CS_PROTOCOL', `this service uses protocol ${PROTOCOL}; update the older of the two`)
    const admitted = await host.admit(hello)
    clearTimeout(late)
    asker = createAsker(admitted, hello.label, write)
    session = admitted.gate.session
    if (stream.destroyed) asker.abandon() // it left while it was let in
    const { version, home, program } = host
    const resumes = admitted.resumable === undefined ? {} : ({ resumes: true } as const)
    write({ hello: { protocol: PROTOCOL, version, session: session ?? '', ...resumes, home, program } })
  }

  function hear(text: string): Promise<void> | undefined {
    return asker?.hear(readLine(text))
  }

  /** Short lines of one that left are heard still: they may tell the end of a call. A long one is work for nobody. */
  async function hearInTurn(text: string): Promise<void> {
    if (!stream.destroyed) await host.turn(session).catch(() => {}) // dropped: it left
    if (!stream.destroyed) await hear(text)
  }

  // At once, though a line of it still waits for its turn and is waited for below.
  let dropped = (): void => {}
  stream.once('close', () => {
    asker?.abandon()
    dropped = host.drop(session)
  })
  try {
    await readLines(stream, read, (text) => {
      if (asker === undefined) return greet(text)
      return text.length > MAX_AT_ONCE ? hearInTurn(text) : hear(text)
    })
  } catch (error) {
    const tooLong = error instanceof RangeError
    const { code, message } = tooLong
      ? { code: 'CS_CALL_TOO_LARGE', message: 'a line is longer than 1 MiB; pass large data in a file' }
      : wordsOf(error)
    if (code === 'CS_ASKER' || code === 'CS_SIGN_IN') host.report(message)
    drop(code, message)
  } finally {
    clearTimeout(late)
    await asker?.leave()
    dropped()
    if (!stream.destroyed) hangUp()
  }
}

/**
 * Hands on line by line as they come, until the stream ends; one that takes its time keeps the next ones waiting. Rejects
 * with what `hear` throws: nothing more is read, and the stream stays open for the error message.
 */
function readLines(
  stream: Duplex,
  read: (chunk: Buffer) => readonly string[],
  hear: (text: string) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let under = Promise.resolve()
    const stop = (error: unknown): void => {
      stream.off('data', take)
      stream.resume() // what still comes is nobody's, but the other side's end must be heard of
      reject(error)
    }
    function take(chunk: Buffer): void {
      try {
        const rest = go(read(chunk), 0)
        if (rest === undefined) return
        stream.pause()
        under = rest
        rest.then(() => stream.resume(), stop)
      } catch (error) {
        stop(error)
      }
    }
    /** Undefined when all of them are heard; else a promise of the last. INVARIANT: a line never overtakes an earlier one. */
    function go(lines: readonly string[], from: number): Promise<void> | undefined {
      let heard = 0
      for (let at = from; at < lines.length; at += 1) {
        const text = lines[at] ?? ''
        heard += text.length
        const busy = hear(text) ?? (heard > MAX_AT_ONCE ? othersFirst() : undefined)
        if (busy !== undefined) return busy.then(() => go(lines, at + 1))
      }
      return undefined
    }
    stream.on('data', take)
    stream.on('error', () => {}) // its close follows
    // Whoever leaves while it is let in is let in first, so that it can be left.
    stream.once('end', () => resolve(under))
    stream.once('close', () => resolve(under))
  })
}

function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
