const LINE_FEED = 0x0a
const CUT = Symbol('cut from a chunk, before its line feed')

/** A line that is a part of the chunk it came in: nobody else writes to that memory. */
type CutLine = Buffer & { [CUT]?: true }

/**
 * The line with the line feed that stood behind it where it came from, without copying; null when it did not come so. The
 * byte behind any other buffer may be another's, and be something else by the time it is written.
 */
export function withFeed(line: CutLine): Buffer | null {
  return line[CUT] === true ? Buffer.from(line.buffer, line.byteOffset, line.length + 1) : null
}

/** What comes out of a stream of lines. */
export interface LineListener {
  /** One line, without its line feed. */
  line(bytes: Buffer): void
  /** A line longer than the bound: its bytes were let go. */
  tooLong(): void
}

export interface Lines {
  push(chunk: Buffer): void
  /** The stream ended: what is left without a line feed is a line, too. */
  end(): void
}

/**
 * Cuts a stream of bytes into lines, however it comes. Nothing is decoded, and a line that lies in one chunk is not
 * copied. INVARIANT: L10, no more than `most` bytes wait for their end.
 */
export function createLines(most: number, listener: LineListener): Lines {
  let pieces: Buffer[] = []
  let waiting = 0
  /** Inside a line that was too long: nothing is kept until it ends. */
  let skipping = false

  function keep(piece: Buffer): void {
    if (skipping) return
    waiting += piece.length
    if (waiting > most) {
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
        if (pieces.length === 0 && !skipping && piece.length <= most) {
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
