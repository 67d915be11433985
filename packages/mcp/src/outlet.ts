import type { Writable } from 'node:stream'

const LINE_FEED = 0x0a
const FEED = Buffer.from('\n')

/** Up to this, what is written together is joined into one piece of memory. */
const JOIN_BYTES = 64 * 1024

/** What may wait for a slow reader before whoever feeds it is told to stop. */
const ROOM_BYTES = 1024 * 1024

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

/** The message with the line feed that stood behind it where it came from, without copying; null when none does. */
function withFeed(message: Buffer): Buffer | null {
  const end = message.byteOffset + message.length
  if (end >= message.buffer.byteLength) return null
  const whole = Buffer.from(message.buffer, message.byteOffset, message.length + 1)
  return whole[message.length] === LINE_FEED ? whole : null
}
