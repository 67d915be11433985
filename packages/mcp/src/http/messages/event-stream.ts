const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const SPACE = 0x20
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  /** Its bytes as they came, up to and with the empty line. */
  readonly raw: Buffer
  /** Its data; null when it has none: a comment, a sign of life, an id only. */
  readonly data: Buffer | null
  readonly id: string | null
  /** What it calls itself; `message` when it says nothing. */
  readonly name: string
  readonly retryMs: number | null
}

/** Cuts a stream into events. */
export interface EventStream {
  /** The events that are whole by now. Throws when one is larger than the bound: the stream cannot be read on. */
  push(chunk: Buffer): readonly StreamEvent[]
}

/**
 * Reads server-sent events, linear in their bytes. Lines end in LF, CR or both, as every reader of such streams has it:
 * SECURITY: A1 what a client takes for an event of its own is one here, too.
 */
export function createEventStream(maxBytes: number): EventStream {
  let pieces: Buffer[] = []
  let size = 0
  let lineBytes = 0
  let afterCr = false
  let isFirst = true

  function keep(piece: Buffer): void {
    size += piece.length
    if (size > maxBytes) throw new RangeError('an event of the server is too large')
    if (piece.length > 0) pieces.push(piece)
  }

  function whole(): StreamEvent {
    const [only] = pieces
    let raw = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
    pieces = []
    size = 0
    if (isFirst && raw.subarray(0, 3).equals(BOM)) raw = raw.subarray(3)
    isFirst = false
    return readEvent(raw)
  }

  return {
    push(chunk) {
      const events: StreamEvent[] = []
      let from = 0
      let at = 0
      let [lf, cr] = [-2, -2]
      while (at < chunk.length) {
        if (afterCr) {
          afterCr = false
          if (chunk[at] === LF) {
            at += 1
            continue
          }
        }
        if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at)
        if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at)
        const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf
        if (end === -1) {
          lineBytes += chunk.length - at
          break
        }
        const isEmpty = lineBytes + end - at === 0
        afterCr = end === cr
        lineBytes = 0
        at = end + 1
        if (!isEmpty) continue
        keep(chunk.subarray(from, at))
        from = at
        events.push(whole())
      }
      keep(chunk.subarray(from))
      return events
    },
  }
}

function readEvent(raw: Buffer): StreamEvent {
  const data: Buffer[] = []
  let id: string | null = null
  let name = 'message'
  let retryMs: number | null = null
  for (const line of linesOf(raw)) {
    const colon = line.indexOf(COLON)
    const field = line.toString('latin1', 0, Math.min(colon === -1 ? line.length : colon, 8))
    const value =
      colon === -1 ? line.subarray(line.length) : line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'id' && value.length <= LONGEST_ID && !value.includes(0)) id = value.toString('utf8')
    else if (field === 'event') name = value.length === 0 ? 'message' : value.toString('utf8', 0, 64)
    else if (field === 'retry' && /^\d{1,9}$/.test(value.toString('latin1', 0, 16)))
      retryMs = Number(value.toString('latin1'))
  }
  return { raw, data: joined(data), id, name, retryMs }
}

const LONGEST_ID = 4096

function* linesOf(raw: Buffer): Generator<Buffer> {
  let at = 0
  let [lf, cr] = [-2, -2]
  while (at < raw.length) {
    if (lf !== -1 && lf < at) lf = raw.indexOf(LF, at)
    if (cr !== -1 && cr < at) cr = raw.indexOf(CR, at)
    const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf
    if (end === -1) return yield raw.subarray(at)
    if (end > at) yield raw.subarray(at, end)
    at = end + 1
  }
}

function joined(lines: readonly Buffer[]): Buffer | null {
  const [only] = lines
  if (only === undefined) return null
  if (lines.length === 1) return only.length === 0 ? null : only
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [FEED, line])))
}

const FEED = Buffer.from('\n')

/** An event with other data, and the id it had. */
export function eventBytes(data: Buffer, id: string | null = null): Buffer {
  const head = id === null ? '' : `id: ${id}\n`
  return Buffer.concat([Buffer.from(`${head}event: message\ndata: `), oneLine(data), Buffer.from('\n\n')])
}

/** JSON on one line: outside of its words, a line feed means no more than a blank; inside there can be none. */
export function oneLine(json: Buffer): Buffer {
  if (!json.includes(LF) && !json.includes(CR)) return json
  const copy = Buffer.from(json)
  for (let at = 0; at < copy.length; at += 1) if (copy[at] === LF || copy[at] === CR) copy[at] = SPACE
  return copy
}
