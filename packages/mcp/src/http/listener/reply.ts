import type { ServerResponse } from 'node:http'
import type { RawId } from '../../wire/message.ts'
import { errorResponse } from '../../wire/message-writer.ts'
import { eventBytes, oneLine } from '../messages/event-stream.ts'
import type { HeaderList } from '../messages/raw-headers.ts'
import { JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'

/** The answer to one request of a client: one body, or a stream of events; whichever is begun first. */
export interface Reply {
  readonly response: ServerResponse
  /** A stream was begun: whatever else there is to say has to be an event of it. */
  readonly isStream: boolean
  /** The client is gone, or everything is said. */
  readonly isOver: boolean
  /** Begins the server's own stream, under its headers. */
  begin(status: number, headers: HeaderList): void
  /** Bytes of events. False when the client is slow: wait for `drain`. */
  raw(bytes: Buffer): boolean
  /** A message of ours beside the answer. Lost on clients that read no streams. */
  event(message: Buffer): void
  /** A sign of life that no client has to understand. */
  beat(): void
  /** The whole answer; `headers` are those that do not speak of its body. */
  finish(status: number, message: Buffer | null, headers?: HeaderList, type?: string): void
  fail(status: number, id: RawId | null, code: number, why: string): void
  end(): void
  /** Told when the client goes away before everything was said. */
  onGone(tell: () => void): void
}

const STREAM: HeaderList = ['content-type', STREAM_TYPE, 'cache-control', 'no-cache, no-transform']
const BEAT = Buffer.from(': still here\n\n')

/** Makes the reply to a request. */
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
