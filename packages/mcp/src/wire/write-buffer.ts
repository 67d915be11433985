import type { Writable } from 'node:stream'
import { withFeed } from './line-splitter.ts'

const FEED = Buffer.from('\n')

/** Up to this, what is written together is joined into one piece of memory. */
const JOIN_BYTES = 64 * 1024

/** What may wait for a slow reader before whoever feeds it is told to stop. */
export const ROOM_BYTES = 1024 * 1024

/** Writes messages as lines: all of them with one write. False when the reader is slow: wait for `drain`. */
export function writeLines(stream: Writable, messages: readonly Buffer[]): boolean {
  if (messages.length === 0) return true
  if (stream.destroyed || stream.writableEnded) return true
  const pieces: Buffer[] = []
  let size = 0
  for (const message of messages) {
    const whole = withFeed(message)
    size += message.length + 1
    if (whole !== null) pieces.push(whole)
    else pieces.push(message, FEED)
  }
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) stream.write(first)
  else if (size <= JOIN_BYTES) stream.write(Buffer.concat(pieces))
  else {
    stream.cork()
    for (const piece of pieces) stream.write(piece)
    stream.uncork()
  }
  return stream.writableLength < ROOM_BYTES
}
