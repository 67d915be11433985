import type { Writable } from 'node:stream'

const LINE_FEED = 0x0a
const CUT = Symbol('a view of a chunk, followed by its line feed')

/** A line that is a view of its chunk, which nobody else writes to. */
type CutLine = Buffer & { [CUT]?: true }

/**
 * The line with the line feed that followed it, without copying; null when the line was copied. The byte after any
 * other buffer may belong to somebody else.
 */
function withLineFeed(line: CutLine): Buffer | null {
  return line[CUT] === true ? Buffer.from(line.buffer, line.byteOffset, line.length + 1) : null
}

/** Receives the lines of a stream. */
interface LineListener {
  /** One line, without its line feed. */
  line(bytes: Buffer): void
  /** A line over the limit; its bytes were discarded. */
  tooLong(): void
}

interface Lines {
  push(chunk: Buffer): void
  /** The stream ended: a rest without a line feed is a line, too. */
  end(): void
}

/**
 * Splits a byte stream into lines. Nothing is decoded, and a line within one chunk is not copied. INVARIANT: L10, at
 * most `max` bytes are buffered.
 */
export function splitLines(max: number, listener: LineListener): Lines {
  let pieces: Buffer[] = []
  let waiting = 0
  /** Inside a line over the limit: bytes are discarded until it ends. */
  let skipping = false

  function keep(piece: Buffer): void {
    if (skipping) return
    waiting += piece.length
    if (waiting > max) {
      skipping = true
      pieces = []
      waiting = 0
    } else if (piece.length > 0) pieces.push(piece)
  }

  function finish(): void {
    const whole = pieces
    const wasTooLong = skipping
    pieces = []
    waiting = 0
    skipping = false
    if (wasTooLong) listener.tooLong()
    else if (whole.length > 0) listener.line(Buffer.concat(whole))
  }

  return {
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        const piece: CutLine = chunk.subarray(from, at)
        from = at + 1
        if (pieces.length === 0 && !skipping && piece.length <= max) {
          if (piece.length === 0) continue
          piece[CUT] = true
          listener.line(piece)
        } else {
          keep(piece)
          finish()
        }
      }
      if (from < chunk.length) keep(from === 0 ? chunk : chunk.subarray(from))
    },
    end: finish,
  }
}

const FEED = Buffer.from('\n')

/** Up to this size, several messages are joined into one buffer. */
const JOIN_BYTES = 64 * 1024

/** How much may be buffered for a slow reader before its producer must pause. */
export const ROOM_BYTES = 1024 * 1024

/** Writes messages as lines in one write. False when the reader is slow: wait for `drain`. */
export function writeLines(stream: Writable, messages: readonly Buffer[]): boolean {
  if (messages.length === 0) return true
  if (stream.destroyed || stream.writableEnded) return true
  const pieces: Buffer[] = []
  let size = 0
  for (const message of messages) {
    const whole = withLineFeed(message)
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
