import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/core'
import type { Unnumbered } from './connection.ts'
import { type Held, lateError, openConnection, type ServiceConnection, SLACK_MS, UNHELD_MS } from './connection.ts'
import { type DialOptions, HELLO_MS, type ServiceAddress, Unreachable } from './dial.ts'
import { type AskOptions, closedError, exchangeOver, type ServiceLink } from './service-link.ts'
import type { ServiceLine } from './wire-protocol.ts'

/** How long other services are tried once a connection is lost: shorter than a service waits for the asker to come back. */
const RETURN_MS = 25_000
const FIRST_PAUSE_MS = 50
const MOST_PAUSE_MS = 1_000
/** While an answer is awaited, the service is asked this often whether it is there. */
const PING_MS = 5_000
/** A service that does not answer for so long is given up: its machine may be gone without a word. */
const SILENT_MS = 15_000

/**
 * A link that outlives its connection: it goes on at another address with the same session, and asks again for what was not
 * answered. Refusals, and services of another version or store, are final and never tried elsewhere.
 */
export async function openReturningLink(
  options: Omit<DialOptions, 'address' | 'resume'>,
  addresses: readonly ServiceAddress[],
): Promise<ServiceLink> {
  const resume = randomBytes(32).toString('base64url')
  const closing = new AbortController()
  let preferred = 0
  let session: string | undefined
  let current = await reach(options.timeoutMs ?? HELLO_MS)
  let reaching: Promise<ServiceConnection> | undefined
  let waiting = 0
  let pinging: ReturnType<typeof setInterval> | undefined

  /** Tries one address after the other, round after round, until one lets this asker in. */
  async function reach(withinMs: number): Promise<ServiceConnection> {
    const until = performance.now() + withinMs
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS)) {
      for (let tried = 0; tried < addresses.length; tried += 1) {
        const index = (preferred + tried) % addresses.length
        const connection = await tryOne(addresses[index])
        if (connection === undefined) continue
        preferred = index
        return connection
      }
      // Jitter: all askers of a service that died come at once.
      const wait = pauseMs * (0.5 + Math.random())
      if (performance.now() + wait > until)
        throw allGone(addresses.length, session === undefined ? 'CS_SERVICE' : 'CS_SERVICE_GONE')
      await pause(wait, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) throw closedError()
    }
  }

  async function tryOne(address: ServiceAddress | undefined): Promise<ServiceConnection | undefined> {
    if (address === undefined) return undefined
    try {
      const connection = await openConnection({ ...options, address, resume })
      const problem = problemOf(connection)
      if (problem === undefined) return connection
      connection.end(problem, { do: 'leave' })
      throw problem
    } catch (error) {
      if (error instanceof Unreachable) return undefined
      throw error
    }
  }

  /** INVARIANT: L1, a service on another store knows nothing of what was asked: asking there again would be a second call. */
  function problemOf({ hello }: ServiceConnection): CountersignError | undefined {
    if (hello.resumes !== true)
      return new CountersignError('CS_SERVICE', 'the service can’t take up sessions; update it to this version')
    session ??= hello.session
    if (hello.session === session) return undefined
    return new CountersignError('CS_SERVICE', 'the addresses lead to services that share no store; check the list')
  }

  /** The connection in use, or the next one. */
  async function connected(): Promise<ServiceConnection> {
    if (closing.signal.aborted) throw closedError()
    if (current.lost === undefined) return current
    reaching ??= reach(RETURN_MS)
      .then((connection) => {
        current = connection
        if (closing.signal.aborted) connection.end(closedError(), { do: 'leave' })
        return connection
      })
      .finally(() => {
        reaching = undefined
      })
    return reaching
  }

  function ping(): void {
    const connection = current
    if (connection.lost !== undefined) return
    const silent = setTimeout(() => connection.end(silentError()), SILENT_MS)
    const heard = () => clearTimeout(silent)
    connection.send({ do: 'cancel', of: 0 }).answer.then(heard, heard)
  }

  async function exchange(line: Unnumbered, about: AskOptions): Promise<ServiceLine> {
    let sent = named(line)
    let until = performance.now() + Math.min('call' in line ? (line.call.timeoutMs ?? UNHELD_MS) : UNHELD_MS, UNHELD_MS)
    let isTold = false
    const onHeld = (held: Held): void => {
      until = performance.now() + Math.max(0, held.expiresAt - Date.now())
      if (!isTold) about.onHeld?.(held)
      isTold = true
    }
    for (;;) {
      const connection = await inTime(connected(), until + SLACK_MS, about.signal)
      try {
        return await exchangeOver(connection, sent, { ...about, onHeld })
      } catch (error) {
        // Its deadline, or the service itself, refused it: the connection holds, and so does the answer.
        if (connection.lost?.code !== 'CS_SERVICE_GONE' || closing.signal.aborted) throw error
        if (sent.do === 'ask') sent = { ...sent, again: true }
      }
    }
  }

  return {
    session: session ?? current.hello.session,
    async exchange(line, about = {}) {
      waiting += 1
      pinging ??= setInterval(ping, PING_MS).unref()
      try {
        return await exchange(line, about)
      } finally {
        waiting -= 1
        if (waiting === 0) {
          clearInterval(pinging)
          pinging = undefined
        }
      }
    },
    close() {
      closing.abort()
      clearInterval(pinging)
      current.end(closedError(), { do: 'leave' })
    },
  }
}

/** A call needs an id of its own before it is sent, so that it can be asked for again. */
function named(line: Unnumbered): Unnumbered {
  if (!('call' in line) || line.call.id !== undefined) return line
  return { ...line, call: { ...line.call, id: randomUUID() } }
}

/** INVARIANT: L3, whoever waits for a connection keeps the call's own deadline. */
function inTime<T>(work: Promise<T>, until: number, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end(() => reject(lateError())), Math.max(0, until - performance.now()))
    const onAbort = () => end(() => reject(cancelledError()))
    const end = (settle: () => void): void => {
      clearTimeout(late)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}

function allGone(addresses: number, code: 'CS_SERVICE' | 'CS_SERVICE_GONE'): CountersignError {
  const who = addresses === 1 ? 'the service does not answer' : `none of ${addresses} services answers`
  return new CountersignError(code, `${who}; nothing was allowed: start one with \`countersign serve\``)
}

function silentError(): CountersignError {
  return new CountersignError('CS_SERVICE_GONE', 'the service stopped answering; nothing was allowed: ask again')
}

function cancelledError(): CountersignError {
  return new CountersignError('CS_WITHDRAWN', 'the call was taken back while no service answered; it did not run')
}
