import { StringDecoder } from 'node:string_decoder'

const LINE_FEED = 0x0a

/** Cuts a stream of bytes into lines, at line feeds only. Throws once a line is longer than `most` bytes. INVARIANT: L10. */
export function createLineReader(most: number): (chunk: Uint8Array) => readonly string[] {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let waiting = 0
  return (chunk) => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const last = bytes.length - 1
    // Nearly every chunk is one whole line, which needs no buffering.
    if (waiting === 0 && last <= most && bytes.indexOf(LINE_FEED) === last && last !== -1)
      return [bytes.toString('utf8', 0, last)]
    const lines: string[] = []
    let from = 0
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, from)) {
      waiting += at - from
      if (waiting > most) throw new RangeError('a line is too long')
      pieces.push(decoder.write(bytes.subarray(from, at + 1)))
      lines.push(pieces.join('').slice(0, -1))
      pieces = []
      waiting = 0
      from = at + 1
    }
    waiting += bytes.length - from
    if (waiting > most) throw new RangeError('a line is too long')
    if (from < bytes.length) pieces.push(decoder.write(bytes.subarray(from)))
    return lines
  }
}
