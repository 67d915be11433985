import type { IncomingMessage } from 'node:http'
import type { Message } from '../../wire/message.ts'
import { newPosition, type StreamPosition } from '../messages/event-stream.ts'
import { contentType, discardBody, STREAM_TYPE } from '../messages/read-body.ts'

/** A source of event streams. */
export interface StreamSource {
  /** Requests a stream, starting after this event. */
  open(lastEventId: string | null, signal: AbortSignal): Promise<IncomingMessage>
  /** Forwards the messages of a stream, and tracks its position. */
  take(answer: IncomingMessage, position: StreamPosition, look: (message: Message) => void): Promise<void>
}

/** `none`: the server has no such stream. */
type Followed = 'read' | 'failed' | 'none'

const MAX_FAILED = 5
/** A minimum pause, even if the server asks for less. */
const LEAST_PAUSE_MS = 50
/** The slowdown for a stream that stays silent. */
const MAX_SLOWDOWN = 30

/** A stream open for this long counts as working, even if nothing came. */
const WORKING_MS = 10_000

/** Reads a stream once. */
async function follow(
  source: StreamSource,
  position: StreamPosition,
  signal: AbortSignal,
  look: (message: Message) => void,
): Promise<Followed> {
  const answer = await source.open(position.lastEventId, signal).catch(() => null)
  if (answer === null) return 'failed'
  const { statusCode = 0 } = answer
  if (statusCode !== 200 || contentType(answer) !== STREAM_TYPE) {
    discardBody(answer)
    // Many servers have no route for it (404); the next message tells whether the session ended.
    return statusCode === 404 || statusCode === 405 || statusCode === 200 ? 'none' : 'failed'
  }
  await source.take(answer, position, look).catch(() => {}) // broken: the next attempt continues after the last event
  return 'read'
}

/**
 * An older server may close a stream and continue it on request, after the last event. It may do so any number of
 * times; only an unreachable server is given up.
 */
export async function resumeResponse(
  source: StreamSource,
  position: StreamPosition,
  signal: AbortSignal,
  isAnswered: () => boolean,
  look: (message: Message) => void,
): Promise<void> {
  let failed = 0
  while (failed < MAX_FAILED && !isAnswered() && !signal.aborted && position.lastEventId !== null) {
    await pause(Math.max(position.retryMs, LEAST_PAUSE_MS) * (failed + 1), signal)
    if (signal.aborted) return
    const followed = await follow(source, position, signal, look)
    if (followed === 'none') return
    failed = followed === 'failed' ? failed + 1 : 0
  }
}

/** Follows the stream of server-initiated messages while the server has one. Silent streams are requested less often. */
export async function followServerStream(source: StreamSource, signal: AbortSignal): Promise<void> {
  const position = newPosition()
  for (let quiet = 1; !signal.aborted; quiet = Math.min(quiet + 1, MAX_SLOWDOWN)) {
    const since = performance.now()
    const followed = await follow(source, position, signal, () => {
      quiet = 0
    })
    if (followed === 'none') return
    if (performance.now() - since > WORKING_MS) quiet = 0
    await pause(Math.max(position.retryMs, LEAST_PAUSE_MS) * Math.max(quiet, 1), signal)
  }
}

/** Waits, or until aborted; does not keep the process alive. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, Math.min(ms, 60_000)).unref()
    signal.addEventListener('abort', go, { once: true })
    if (signal.aborted) go()
  })
}
