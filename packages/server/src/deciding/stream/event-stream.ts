import { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { NOW_MS } from '@countersign/core'
import type { Feed, FeedEvent } from './event-feed.ts'
import type { HeldLine } from './held-call-json.ts'
import type { HeldBoard } from './held-calls.ts'

/** Bytes that may wait for a slow reader; past it the stream is cut, and a new one begins with a snapshot. */
const MAX_BACKLOG = 8 * 1024 * 1024
/** A snapshot is written in pieces of about so many characters. */
const PIECE = 65_536

/** What one open stream needs. */
export interface StreamParts {
  readonly feed: Feed
  readonly board: Pick<HeldBoard, 'list'>
  readonly now: () => number
  /** Asked with every `now` too: a machine that slept wakes with old timers. */
  isStillSignedIn(): boolean
  /** Calls `ended` when the sign-in is over; the returned function ends that. SECURITY: A18, a stream ends with its sign-in. */
  whenSignedOut(ended: () => void): () => void
  /** Only what concerns this asker's session. */
  readonly session: string | undefined
  /** The number of the last event that the reader has seen. */
  readonly last: number | undefined
}

/** The last event as bytes: it is told to one reader after the other, and written out once for all of them. */
let written: { readonly event: FeedEvent; readonly bytes: Buffer } | undefined

/**
 * The live stream of one reader, until either side ends it: what it missed or a snapshot, then everything as it happens.
 * Written straight to the response: only the socket is between an event and its reader.
 */
export async function openStream(parts: StreamParts, reader: Writable): Promise<void> {
  const { feed, board, now, session } = parts
  let waiting: FeedEvent[] | undefined = []
  let waitingBytes = 0
  let timer: ReturnType<typeof setInterval> | undefined
  let over = false
  const stops: (() => void)[] = []

  function end(): void {
    if (over) return
    over = true
    clearInterval(timer)
    for (const stop of stops) stop()
    reader.end()
    if (reader.writableNeedDrain) reader.destroy() // whoever does not read does not hear of the end either
  }

  /** INVARIANT: L10, a reader that does not read is disconnected, and its buffer freed. */
  function cut(): void {
    end()
    reader.destroy()
  }

  function send(bytes: Buffer): void {
    if (over) return
    reader.write(bytes)
    // Node keeps what is written until all that is under way has had its turn; a person looks at this.
    if (reader instanceof ServerResponse) reader.socket?.uncork()
    if (reader.writableLength > MAX_BACKLOG) cut()
  }

  function isMine(of: { readonly session: string | null | undefined }): boolean {
    return session === undefined || of.session === undefined || of.session === session
  }

  function hear(event: FeedEvent): void {
    if (over || !isMine(event)) return
    if (waiting === undefined) {
      send(bytesOf(event))
      return
    }
    waiting.push(event)
    waitingBytes += event.json.length
    if (waitingBytes > MAX_BACKLOG) cut()
  }

  /** Sends as fast as the client reads: only a piece of a large snapshot is buffered. */
  async function pour(pieces: Iterable<Buffer>): Promise<void> {
    for (const piece of pieces) {
      if (over) return
      if (!reader.write(piece)) await hasDrained(reader)
    }
  }

  reader.on('error', end)
  reader.on('close', end)
  stops.push(parts.whenSignedOut(end))
  try {
    const subscribed = await feed.subscribe(hear)
    if (over) return subscribed.stop()
    stops.push(subscribed.stop)
    const missed = parts.last === undefined ? undefined : await feed.since(parts.last)
    if (missed !== undefined) await pour(missed.filter(isMine).map(bytesOf))
    else await pour(snapshotOf((await board.list()).filter(isMine), now(), subscribed.from))
  } catch {
    return end() // a store that cannot be read shows nothing; the reader comes again
  }
  while (waiting.length > 0 && !over) {
    const next = waiting.splice(0)
    waitingBytes = 0
    await pour(next.map(bytesOf))
  }
  waiting = undefined
  send(eventBytes('now', JSON.stringify({ now: now() })))
  if (over) return
  timer = setInterval(() => {
    if (parts.isStillSignedIn()) send(eventBytes('now', JSON.stringify({ now: now() })))
    else end()
  }, NOW_MS)
}

function hasDrained(reader: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      reader.off('drain', done)
      reader.off('close', done)
      resolve()
    }
    reader.on('drain', done)
    reader.on('close', done)
    if (reader.destroyed) done()
  })
}

/** One event, in pieces: each view was written out already. */
function* snapshotOf(lines: readonly HeldLine[], now: number, seq: number): Iterable<Buffer> {
  let piece = `id: ${seq}\nevent: snapshot\ndata: {"now":${now},"held":[`
  for (const [at, { json }] of lines.entries()) {
    piece += at === 0 ? json : `,${json}`
    if (piece.length < PIECE) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(`${piece}]}\n\n`)
}

function bytesOf(event: FeedEvent): Buffer {
  if (written?.event === event) return written.bytes
  const bytes = eventBytes(event.event, event.json, event.seq)
  written = { event, bytes }
  return bytes
}

/** JSON text has no line feed, so one event is one data line. */
function eventBytes(event: string, json: string, seq?: number): Buffer {
  const id = seq === undefined ? '' : `id: ${seq}\n`
  return Buffer.from(`${id}event: ${event}\ndata: ${json}\n\n`)
}
