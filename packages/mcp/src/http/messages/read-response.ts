import type { IncomingMessage } from 'node:http'
import { readEvents, type StreamMark } from './event-reader.ts'
import { oneLine } from './event-stream.ts'
import { contentType, readBody, STREAM_TYPE } from './read-body.ts'

/**
 * Reads what a server says to one request: a stream of messages or one body, each message on one line. Rejects when it does
 * not come to its end.
 */
export async function readAnswer(
  answer: IncomingMessage,
  maxBytes: number,
  mark: StreamMark,
  take: (message: Buffer) => void,
): Promise<void> {
  if (contentType(answer) === STREAM_TYPE)
    return readEvents(answer, maxBytes, mark, ({ data, name }) => {
      if (data !== null && name === 'message') take(oneLine(data))
    })
  const body = await readBody(answer, maxBytes)
  if (body === 'broken') throw new Error('the body broke off')
  if (body === 'too-large') throw new RangeError('the server’s answer is too large')
  if (body.length > 0) take(oneLine(body))
}

/** Why an answer was not read to its end: its server was there, whatever became of it. */
export function whyBroken(error: unknown): string {
  return error instanceof RangeError ? error.message : 'the server broke off its answer'
}
