import type { IncomingMessage } from 'node:http'
import { headerOf } from './raw-headers.ts'

/** A whole body; `too-large` when it is longer than the bound, `broken` when it ended before its end. */
export type Body = Buffer | 'too-large' | 'broken'

/** Reads a body up to a bound. Past it, it is read no further. */
export function readBody(stream: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve('broken') // it says nothing any more, not even that it ended
    let first: Buffer | null = null
    let more: Buffer[] | null = null
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) {
        stream.off('data', take)
        stream.pause()
        resolve('too-large')
        if (typeof stream.statusCode === 'number') stream.destroy() // whoever sent a request still waits to hear of it
      } else if (first === null) first = chunk
      else if (more === null) more = [first, chunk]
      else more.push(chunk)
    }
    stream.on('data', take)
    stream.on('end', () => resolve(more === null ? (first ?? NOTHING) : Buffer.concat(more)))
    stream.on('close', () => resolve('broken')) // after its end, this says nothing any more
  })
}

const NOTHING = Buffer.alloc(0)

/** What kind of body it is: `application/json`, `text/event-stream`, or something else. */
export function contentType(message: IncomingMessage): string {
  const type = headerOf(message, 'content-type') ?? ''
  return type === JSON_TYPE ? type : (type.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

export const JSON_TYPE = 'application/json'
export const STREAM_TYPE = 'text/event-stream'
