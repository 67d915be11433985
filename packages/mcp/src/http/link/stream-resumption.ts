import type { IncomingMessage } from 'node:http'
import type { Message } from '../../wire/message.ts'
import { dropBody } from '../messages/discard-body.ts'
import { newMark, type StreamMark } from '../messages/event-reader.ts'
import { contentType, STREAM_TYPE } from '../messages/read-body.ts'
import { pause } from '../messages/session.ts'

/** Where streams come from that answer nothing by themselves. */
export interface StreamSource {
  /** Asks for a stream, from after this event on. */
  open(lastEventId: string | null, signal: AbortSignal): Promise<IncomingMessage>
  /** Passes on what is in it, and keeps the mark. */
  take(answer: IncomingMessage, mark: StreamMark, look: (message: Message) => void): Promise<void>
}

/** `none`: the server has no such stream, and will not. */
type Followed = 'read' | 'failed' | 'none'

const MAX_FAILED = 5
/** A server that names no time to come back, or a very short one, is still not asked all the time. */
const LEAST_PAUSE_MS = 50
/** How much slower a stream is asked for that never brings anything. */
const MAX_TIMES = 30

/** A stream that stood for so long was one, also when nothing came. */
const LONG_MS = 10_000

/** Reads a stream that answers nothing, once. */
async function follow(
  source: StreamSource,
  mark: StreamMark,
  signal: AbortSignal,
  look: (message: Message) => void,
): Promise<Followed> {
  const answer = await source.open(mark.lastEventId, signal).catch(() => null)
  if (answer === null) return 'failed'
  const { statusCode = 0 } = answer
  if (statusCode !== 200 || contentType(answer) !== STREAM_TYPE) {
    dropBody(answer)
    // Many servers have no route for it (404). Whether the session is over is said to the next message.
    return statusCode === 404 || statusCode === 405 || statusCode === 200 ? 'none' : 'failed'
  }
  await source.take(answer, mark, look).catch(() => {}) // it broke off: the next turn goes on after the last event
  return 'read'
}

/**
 * An older server may let go of a stream and go on with it when asked: from the last event that came. It may do so as often
 * as it likes; only a server that cannot be reached is given up.
 */
export async function resumeAnswer(
  source: StreamSource,
  mark: StreamMark,
  signal: AbortSignal,
  isAnswered: () => boolean,
  look: (message: Message) => void,
): Promise<void> {
  let failed = 0
  while (failed < MAX_FAILED && !isAnswered() && !signal.aborted && mark.lastEventId !== null) {
    await pause(Math.max(mark.retryMs, LEAST_PAUSE_MS) * (failed + 1), signal)
    if (signal.aborted) return
    const followed = await follow(source, mark, signal, look)
    if (followed === 'none') return
    failed = followed === 'failed' ? failed + 1 : 0
  }
}

/** What an older server says unasked, for as long as it has a stream for that. Quiet ones are asked for more slowly. */
export async function listenOn(source: StreamSource, signal: AbortSignal): Promise<void> {
  const mark = newMark()
  for (let quiet = 1; !signal.aborted; quiet = Math.min(quiet + 1, MAX_TIMES)) {
    const since = performance.now()
    const followed = await follow(source, mark, signal, () => {
      quiet = 0
    })
    if (followed === 'none') return
    if (performance.now() - since > LONG_MS) quiet = 0
    await pause(Math.max(mark.retryMs, LEAST_PAUSE_MS) * Math.max(quiet, 1), signal)
  }
}
