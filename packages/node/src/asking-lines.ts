import { createLineReader } from './line-reader.ts'

const LINE_FEED = 0x0a

/**
 * The lines of the asking wire. Nearly always a chunk is one whole line: it is read as it is, without being put together.
 * Throws once a line is longer than `most` bytes. INVARIANT: L10.
 */
export function createAskingLines(most: number): (chunk: Buffer) => readonly string[] {
  const read = createLineReader(most)
  let isWithin = false
  return (chunk) => {
    const end = chunk.indexOf(LINE_FEED)
    const isWhole = end !== -1 && end === chunk.length - 1
    if (isWhole && !isWithin && end <= most) return [chunk.toString('utf8', 0, end)]
    isWithin = chunk.at(-1) !== LINE_FEED
    return read(chunk)
  }
}
