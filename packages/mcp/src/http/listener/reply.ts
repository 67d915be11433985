import type { ServerResponse } from 'node:http'
import type { RawId } from '../../wire/message.ts'
import { errorResponse } from '../../wire/message-writer.ts'
import { eventBytes, oneLine } from '../messages/event-stream.ts'
import type { HeaderList } from '../messages/raw-headers.ts'
import { JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'

/** The response to one request: a body or an event stream, whichever starts first. */
export interface Reply {
  readonly response: ServerResponse
  /** A stream was started: everything else must be an event of it. */
  readonly isStream: boolean
  /** The client disconnected, or everything was sent. */
  readonly isOver: boolean
  /** Starts relaying the server’s stream, with its headers. */
  begin(status: number, headers: HeaderList): void
  /** Raw bytes of events. False when the client is slow: wait for `drain`. */
  raw(bytes: Buffer): boolean
  /** A message of ours besides the response; lost on clients that read no streams. */
  event(message: Buffer): void
  /** A comment that keeps the connection alive. */
  beat(): void
  /** The complete response; `headers` without those of the body. */
  finish(status: number, message: Buffer | null, headers?: HeaderList, type?: string): void
  fail(status: number, id: RawId | null, code: number, why: string): void
  end(): void
  /** Called when the client disconnects before everything was sent. */
  onGone(tell: () => void): void
}

const STREAM: HeaderList = ['content-type', STREAM_TYPE, 'cache-control', 'no-cache, no-transform']
const BEAT = Buffer.from(': still here\n\n')

/** Creates the reply to a request. */
export function createReply(response: ServerResponse, readsStreams: boolean): Reply {
  let isStream = false

  const reply: Reply = {
    response,
    get isStream() {
      return isStream
    },
    get isOver() {
      return response.writableEnded || response.destroyed
    },
    begin(status, headers) {
      if (isStream || reply.isOver) return
      isStream = true
      response.writeHead(status, [...headers])
      response.flushHeaders()
    },
    raw: (bytes) => reply.isOver || response.write(bytes),
    event(message) {
      if (!readsStreams || reply.isOver) return
      reply.begin(200, STREAM)
      response.write(eventBytes(message))
    },
    beat() {
      if (!readsStreams || reply.isOver) return
      reply.begin(200, STREAM)
      response.write(BEAT)
    },
    finish(status, message, headers = [], type = JSON_TYPE) {
      if (reply.isOver) return
      if (isStream) {
        if (message !== null) response.write(eventBytes(message))
        response.end()
      } else if (message === null) {
        response.writeHead(status, [...headers]).end()
      } else {
        const body = message.length < JOIN_BYTES ? oneLine(message) : message
        const length = String(body.length)
        response.writeHead(status, [...headers, 'content-type', type, 'content-length', length]).end(body)
      }
    },
    fail: (status, id, code, why) => reply.finish(status, errorResponse(id, code, why)),
    end() {
      if (reply.isOver) return
      if (!isStream) response.writeHead(200, [...STREAM])
      response.end()
    },
    onGone(tell) {
      response.on('close', () => {
        if (!response.writableFinished) tell()
      })
    },
  }
  return reply
}

const JOIN_BYTES = 64 * 1024

/** Keeps the connections of waiting clients alive, with one timer for all. */
export interface KeepAlive {
  add(reply: Reply): void
  remove(reply: Reply): void
}

const TICK_MS = 1_000
/** The longest silence for a waiting client, in ticks. */
const QUIET_TICKS = 15

export function createKeepAlive(): KeepAlive {
  /** The tick of the last sign of life. */
  const waiting = new Map<Reply, number>()
  let ticks = 0
  let timer: NodeJS.Timeout | null = null

  function tick(): void {
    ticks += 1
    if (waiting.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    for (const [reply, since] of waiting) {
      if (ticks - since < QUIET_TICKS) continue
      waiting.set(reply, ticks)
      reply.beat()
    }
  }

  return {
    add(reply) {
      waiting.set(reply, ticks)
      timer ??= setInterval(tick, TICK_MS).unref()
    },
    remove: (reply) => void waiting.delete(reply),
  }
}
