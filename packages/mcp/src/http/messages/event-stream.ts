import type { IncomingMessage } from 'node:http'
import { contentType, readBody, STREAM_TYPE } from './read-body.ts'

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const SPACE = 0x20
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** One server-sent event. */
export interface StreamEvent {
  /** Its bytes, including the empty line. */
  readonly raw: Buffer
  /** Its data; null for a comment or an event with only an id. */
  readonly data: Buffer | null
  readonly id: string | null
  /** Its type; `message` by default. */
  readonly name: string
  readonly retryMs: number | null
}

/** Splits a stream into events. */
interface EventStream {
  /** The complete events so far. Throws when one exceeds the limit. */
  push(chunk: Buffer): readonly StreamEvent[]
}

/**
 * Parses server-sent events in linear time. Lines end in LF, CR or both, as in every client: SECURITY: A1 what a client
 * takes for an event is one here, too.
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

/** An event with this data, and the given id. */
export function eventBytes(data: Buffer, id: string | null = null): Buffer {
  const head = id === null ? '' : `id: ${id}\n`
  return Buffer.concat([Buffer.from(`${head}event: message\ndata: `), oneLine(data), Buffer.from('\n\n')])
}

/** JSON on one line: a line break between tokens is white space, and strings contain none. */
export function oneLine(json: Buffer): Buffer {
  if (!json.includes(LF) && !json.includes(CR)) return json
  const copy = Buffer.from(json)
  for (let at = 0; at < copy.length; at += 1) if (copy[at] === LF || copy[at] === CR) copy[at] = SPACE
  return copy
}

/** The position in an event stream. */
export interface StreamPosition {
  lastEventId: string | null
  retryMs: number
}

/** The reconnect delay if the server names none. */
const RETRY_MS = 1_000

export function newPosition(): StreamPosition {
  return { lastEventId: null, retryMs: RETRY_MS }
}

/** Reads a stream to its end and emits its events. Rejects when it breaks. */
export function readEvents(
  answer: IncomingMessage,
  maxBytes: number,
  position: StreamPosition,
  take: (event: StreamEvent) => void,
): Promise<void> {
  const events = createEventStream(maxBytes)
  return new Promise((resolve, reject) => {
    if (answer.destroyed) return reject(new Error('the stream broke off'))
    answer.on('data', (chunk: Buffer) => {
      try {
        for (const event of events.push(chunk)) {
          if (event.id !== null) position.lastEventId = event.id
          if (event.retryMs !== null) position.retryMs = event.retryMs
          take(event)
        }
      } catch (error) {
        answer.destroy(error instanceof Error ? error : undefined)
      }
    })
    answer.on('end', resolve)
    answer.on('error', reject)
    answer.on('close', () => reject(new Error('the stream broke off')))
  })
}

/**
 * Reads the response to one request: a stream of messages or a body, each message on one line. Rejects when it is
 * incomplete.
 */
export async function readResponse(
  answer: IncomingMessage,
  maxBytes: number,
  position: StreamPosition,
  take: (message: Buffer) => void,
): Promise<void> {
  if (contentType(answer) === STREAM_TYPE)
    return readEvents(answer, maxBytes, position, ({ data, name }) => {
      if (data !== null && name === 'message') take(oneLine(data))
    })
  const body = await readBody(answer, maxBytes)
  if (body === 'broken') throw new Error('the body broke off')
  if (body === 'too-large') throw new RangeError('the server’s response is too large')
  if (body.length > 0) take(oneLine(body))
}

/** Why a response is incomplete: the server was reached. */
export function brokenReason(error: unknown): string {
  return error instanceof RangeError ? error.message : 'the server broke off its response'
}
